/// The controls of a camera, as its driver lists them.
public struct ControlList: Sendable, Hashable {
    /// The camera's name.
    public var camera: String
    /// Its controls.
    public var controls: [ControlDescription]

    /// Creates a list.
    public init(camera: String, controls: [ControlDescription]) {
        self.camera = camera
        self.controls = controls
    }
}

/// The kind of a control's value (V4L2's `enum v4l2_ctrl_type`); the raw value is the byte on the wire.
public enum ControlKind: UInt8, Sendable, Hashable, CaseIterable {
    /// A 32-bit integer.
    case integer = 1
    /// 0 or 1.
    case boolean = 2
    /// An index into ``ControlDescription/menu``, whose entries are names.
    case menu = 3
    /// No value; setting it does something.
    case button = 4
    /// A 64-bit integer.
    case integer64 = 5
    /// A text.
    case string = 6
    /// A set of bits.
    case bitmask = 7
    /// An index into ``ControlDescription/menu``, whose entries are numbers.
    case integerMenu = 8
}

/// One control.
public struct ControlDescription: Sendable, Hashable {
    /// The driver's name for it, in lower case with underscores.
    public var name: String
    /// The kind of its value.
    public var kind: ControlKind
    /// Whether it cannot be set.
    public var isReadOnly: Bool
    /// Whether another control, an automatic mode for instance, overrides it at present.
    public var isInactive: Bool
    /// Whether its value changes by itself.
    public var isVolatile: Bool
    /// The smallest value, or the least bytes of a string.
    public var minimum: Int64
    /// The largest value, or the most bytes of a string.
    public var maximum: Int64
    /// The distance of two values.
    public var step: UInt64
    /// The driver's default.
    public var defaultValue: Int64
    /// The value at present.
    public var value: ControlPayload
    /// The entries of a menu: index and name.
    public var menu: [ControlMenuItem]

    /// Creates a description.
    public init(
        name: String, kind: ControlKind, isReadOnly: Bool, isInactive: Bool, isVolatile: Bool, minimum: Int64,
        maximum: Int64, step: UInt64, defaultValue: Int64, value: ControlPayload, menu: [ControlMenuItem]
    ) {
        self.name = name
        self.kind = kind
        self.isReadOnly = isReadOnly
        self.isInactive = isInactive
        self.isVolatile = isVolatile
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
        self.defaultValue = defaultValue
        self.value = value
        self.menu = menu
    }
}

/// An entry of a menu.
public struct ControlMenuItem: Sendable, Hashable {
    /// The value that chooses it.
    public var index: Int64
    /// Its name, or its number for an integer menu.
    public var name: String

    /// Creates an entry.
    public init(index: Int64, name: String) {
        self.index = index
        self.name = name
    }
}

/// A control's value.
public enum ControlPayload: Sendable, Hashable {
    /// Integers, booleans, menus, bit masks; ignored for buttons.
    case integer(Int64)
    /// Strings.
    case string(String)
}

/// Names a control.
public struct ControlName: Sendable, Hashable {
    /// The camera's name.
    public var camera: String
    /// The control's name.
    public var control: String

    /// Creates a name.
    public init(camera: String, control: String) {
        self.camera = camera
        self.control = control
    }
}

/// A control with its value.
public struct ControlValue: Sendable, Hashable {
    /// The camera's name.
    public var camera: String
    /// The control's name.
    public var control: String
    /// The value.
    public var value: ControlPayload

    /// Creates a value.
    public init(camera: String, control: String, value: ControlPayload) {
        self.camera = camera
        self.control = control
        self.value = value
    }
}
