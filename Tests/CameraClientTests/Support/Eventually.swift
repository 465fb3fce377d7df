/// Returns once the condition holds, for what tells nobody when it changes; the test's time limit bounds it.
func eventually(_ condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(1)) }
}
