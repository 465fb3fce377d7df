import CommandLineOptions
import Foundation

let options = ServerCommand.command.parseOrExit()
do throws(RuntimeFailure) {
    exit(try ServerProgram(options).run().rawValue)
} catch {
    error.report(program: ServerCommand.command.name)
    exit(error.exitCode.rawValue)
}
