//! x
use kalah::board::*;
fn main() {
    for (h, s, c) in [
        (6, 4, Capture::Standard),
        (6, 4, Capture::Empty),
        (6, 3, Capture::Standard),
        (6, 3, Capture::Empty),
        (6, 6, Capture::Standard),
        (6, 6, Capture::Empty),
    ] {
        let b = Board::start(Rules::new(h, c).unwrap(), s).unwrap();
        println!("{} {}", b.fen(), b.perft(7));
        println!("{b}");
    }
}
