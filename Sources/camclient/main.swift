import CommandLineOptions
import Glibc

let options = clientCommand.parseOrExit()
exit(await ClientProgram(options: options).run().rawValue)
