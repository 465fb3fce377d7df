import CommandLineOptions
import Foundation

let options = ServerCommand.command.parseOrExit()
do {
    exit(try ServerProgram(options).run().rawValue)
} catch {
    error.report(program: ServerCommand.command.name)
    exit(error.exitCode.rawValue)
}
