import CommandLineOptions

extension ClientOptions {
    /// Checks what single values cannot show.
    func validate() throws(UsageError) {
        if json, output == "-" {
            throw UsageError("'--json' and '--output -' both need standard output")
        }
        if !saves {
            for (name, isGiven) in [
                ("--directory", directory != nil), ("--format", format != nil), ("--keep", keep != nil),
            ] where isGiven {
                throw UsageError("'\(name)' has no effect without '--save'")
            }
        }
        if output == nil, outputFormat != nil {
            throw UsageError("'--output-format' has no effect without '--output'")
        }
        if lists, saves || output != nil {
            throw UsageError("'--list' receives no frames, so '\(saves ? "--save" : "--output")' has no effect")
        }
    }
}
