extension ControlList {
    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        self.init(camera: try reader.name("camera", in: bytes), controls: [])
        let count: UInt16 = try reader.integer("controls", in: bytes)
        for _ in 0..<count {
            var entry = try reader.entry("control", in: bytes)
            if let control = try ControlDescription.read(&entry, in: bytes) { controls.append(control) }
        }
    }

    /// Writes the list; controls that a message has no room for are left out.
    func write(to writer: inout ByteWriter) {
        writer.write(name: camera)
        let countOffset = writer.bytes.count
        writer.write(UInt16(0))
        var count: UInt16 = 0
        for control in controls.prefix(Int(UInt16.max)) {
            var entry = ByteWriter()
            entry.writeEntry { control.write(to: &$0) }
            guard writer.bytes.count + entry.bytes.count <= MessageHeader.byteCount + Limits.controlByteCount else {
                break
            }
            writer.append(entry)
            count += 1
        }
        writer.set(count, at: countOffset)
    }
}

extension ControlDescription {
    private enum Flag {
        static let readOnly: UInt8 = 0x01
        static let inactive: UInt8 = 0x02
        static let `volatile`: UInt8 = 0x04
    }

    /// Reads a control.
    ///
    /// - Returns: `nil` for a kind of a newer version.
    static func read(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) -> ControlDescription? {
        let name = try reader.name("control.name", in: bytes)
        guard let kind = ControlKind(rawValue: try reader.integer("control.kind", in: bytes)) else { return nil }
        let flags: UInt8 = try reader.integer("control.flags", in: bytes)
        var control = ControlDescription(
            name: name, kind: kind, isReadOnly: flags & Flag.readOnly != 0, isInactive: flags & Flag.inactive != 0,
            isVolatile: flags & Flag.volatile != 0,
            minimum: try reader.integer("control.minimum", in: bytes),
            maximum: try reader.integer("control.maximum", in: bytes),
            step: try reader.integer("control.step", in: bytes),
            defaultValue: try reader.integer("control.defaultValue", in: bytes),
            value: try ControlPayload(&reader, in: bytes), menu: [])
        let count: UInt16 = try reader.integer("control.menu", in: bytes)
        for _ in 0..<count {
            let index: Int64 = try reader.integer("control.menu.index", in: bytes)
            control.menu.append(
                ControlMenuItem(index: index, name: try reader.name("control.menu.name", in: bytes)))
        }
        return control
    }

    /// Writes the control; entries of a menu that a message has no room for are left out.
    func write(to writer: inout ByteWriter) {
        writer.write(name: name)
        writer.write(kind.rawValue)
        writer.write(
            (isReadOnly ? Flag.readOnly : 0) | (isInactive ? Flag.inactive : 0) | (isVolatile ? Flag.volatile : 0))
        writer.write(minimum)
        writer.write(maximum)
        writer.write(step)
        writer.write(defaultValue)
        value.write(to: &writer)
        let menu = menu.prefix(Limits.menuItemCount)
        writer.write(UInt16(menu.count))
        for item in menu {
            writer.write(item.index)
            writer.write(name: item.name)
        }
    }
}

extension ControlPayload {
    private enum Tag: UInt8 {
        case integer = 0
        case string = 1
    }

    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        switch try reader.value("value", in: bytes, as: Tag.self) {
        case .integer: self = .integer(try reader.integer("value", in: bytes))
        case .string: self = .string(try reader.text("value", limit: Limits.textByteCount, in: bytes))
        }
    }

    func write(to writer: inout ByteWriter) {
        switch self {
        case .integer(let value):
            writer.write(Tag.integer.rawValue)
            writer.write(value)
        case .string(let value):
            writer.write(Tag.string.rawValue)
            writer.write(text: value)
        }
    }
}

extension ControlName {
    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        self.init(camera: try reader.name("camera", in: bytes), control: try reader.name("control", in: bytes))
    }

    func write(to writer: inout ByteWriter) {
        writer.write(name: camera)
        writer.write(name: control)
    }
}

extension ControlValue {
    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        self.init(
            camera: try reader.name("camera", in: bytes), control: try reader.name("control", in: bytes),
            value: try ControlPayload(&reader, in: bytes))
    }

    func write(to writer: inout ByteWriter) {
        writer.write(name: camera)
        writer.write(name: control)
        value.write(to: &writer)
    }
}
