/// The version of all three programs, which are built and installed together.
package let jokesdVersion = "0.1.0"
