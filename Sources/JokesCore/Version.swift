/// The version of all three programs, which are built and installed together.
package let jokesdVersion = "1.0.0"
