/// Where a program's options keep a value: `\.port`.
package typealias Property<Options, Value> = any WritableKeyPath<Options, Value> & Sendable
