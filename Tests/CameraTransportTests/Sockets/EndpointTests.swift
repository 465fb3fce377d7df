import CameraTransport
import Testing

struct EndpointTests {
    @Test(arguments: [
        ("desk", Endpoint.tcp(host: "desk", port: 9000), "desk:9000"),
        ("desk.local:80", .tcp(host: "desk.local", port: 80), "desk.local:80"),
        ("10.0.0.1:65535", .tcp(host: "10.0.0.1", port: 65535), "10.0.0.1:65535"),
        ("[::1]", .tcp(host: "::1", port: 9000), "[::1]:9000"),
        ("[fe80::1%eth0]:9", .tcp(host: "fe80::1%eth0", port: 9), "[fe80::1%eth0]:9"),
        ("unix:/run/cam", .unix(path: "/run/cam"), "unix:/run/cam"),
    ])
    func reads(text: String, expected: Endpoint, description: String) {
        #expect(Endpoint(parsing: text) == expected)
        #expect("\(expected)" == description)
        #expect(Endpoint(parsing: description) == expected)
    }

    @Test(arguments: [
        "", ":9000", "desk:", "desk:0", "desk:65536", "desk:http", "desk:9000:1", "::1", "[::1", "[::1]x", "[]:1",
        "unix:", "a b", "http://desk", "unix:" + String(repeating: "x", count: 108),
    ])
    func refuses(text: String) {
        #expect(Endpoint(parsing: text) == nil)
    }
}
