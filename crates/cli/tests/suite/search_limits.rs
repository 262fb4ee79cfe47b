//! Every search of the option `Search` as a program: limits and stops.

use kalah::search::Variant;

use crate::session::Session;

/// Limits that each search knows; the others are refused without harm.
#[test]
fn every_search_takes_its_limits_and_refuses_others() {
    for (name, variant) in Variant::ALL {
        let mut session = Session::start();
        session.send(&format!("setoption name Search value {name}"));
        let refused = match variant {
            Variant::DepthFirst(_) => &["iterations 5"][..],
            Variant::ProofNumber => &["depth 5", "iterations 5"],
            _ => &["depth 5"],
        };
        for limit in refused {
            session.send(&format!("go {limit}"));
            let error = session.line();
            assert!(error.starts_with("info string error: "), "{name}: {error}");
            assert!(error.contains(limit.split(' ').next().unwrap()) && error.contains(name));
        }
        let taken = match variant {
            Variant::DepthFirst(_) => &["depth 3", "nodes 500", "movetime 5"][..],
            Variant::ProofNumber => &["nodes 500", "movetime 5", "stime 50 ntime 50"],
            _ => &["iterations 50", "nodes 500", "movetime 5", "stime 50 ntime 50"],
        };
        for limit in taken {
            session.send(&format!("go {limit}"));
            session.until("bestmove ");
        }
        session.quit();
    }
}

#[test]
fn every_search_stops_when_told_to() {
    for (name, _) in Variant::ALL {
        let mut session = Session::start();
        session.send(&format!("setoption name Search value {name}"));
        session.send("setoption name Seeds value 6");
        for go in ["go infinite", "go", "go ponder movetime 5"] {
            session.send(go);
            session.send("isready");
            session.until("readyok");
            session.send("stop");
            session.until("bestmove ");
        }
        session.quit();
    }
}
