# For a tap: Formula/kalah.rb.
class Kalah < Formula
  desc "Engine, solver and laboratory for Kalah (mancala)"
  homepage "@DOWNLOADS@"
  url "@DOWNLOADS@/kalah-@VERSION@.tar.gz"
  sha256 "@SHA256 kalah-@VERSION@.tar.gz@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/cli")
    system bin/"kalah", "man", man1
    generate_completions_from_executable(bin/"kalah", "completions")
  end

  test do
    assert_match "margin  2", shell_output("#{bin}/kalah solve --seeds 3")
  end
end
