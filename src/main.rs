//! x
use kalah::board::{Board, Capture, Rules};
use kalah::search::{Effort, Limits, Line, Observer, Searcher, Settings, stop_pair};
struct P;
impl Observer for P {
    fn line(&mut self, l: &Line, e: &Effort) {
        let pv: String = l.pv.iter().map(ToString::to_string).collect();
        println!(
            "d {} sd {} m {} {:?} p {} n {} nps {} t {:?} hf {} pv {pv}",
            l.depth,
            l.seldepth,
            l.margin,
            l.bound,
            l.proven,
            e.nodes,
            e.nps(),
            e.time,
            e.hashfull
        );
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let b = Board::start(Rules::new(6, Capture::Standard).unwrap(), a[1].parse().unwrap()).unwrap();
    let mut s = Searcher::new(256).unwrap();
    let (_h, t) = stop_pair();
    let l = Limits { depth: Some(a[2].parse().unwrap()), ..Limits::default() };
    let mut st = Settings::default();
    st.threads = a[3].parse().unwrap();
    let o = s.search(&b, &l, &st, &t, &mut P);
    println!("{:?} {:?}", o.best, o.effort);
}
