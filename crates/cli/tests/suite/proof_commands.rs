//! `kalah solve --proof` and `kalah verify-proof`.

use serde_json::Value;

use crate::contest::Contest;

/// Where the margin is, in bytes.
const MARGIN: usize = 40;

fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let checksum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn with(bytes: &[u8], place: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[place..place + new.len()].copy_from_slice(new);
    sealed(bytes)
}

#[test]
fn the_program_writes_and_verifies() {
    let contest = Contest::new();
    let (lines, _) = contest.played("solve --seeds 3 --proof kalah-6-3.proof --proof-seeds 10");
    let last = lines.lines().last().unwrap();
    assert!(last.starts_with("proof   '") && last.contains("leaves"), "{lines}");
    let (lines, _) = contest.played("verify-proof kalah-6-3.proof");
    let lines: Vec<_> = lines.lines().collect();
    assert_eq!(lines[0], "board   <6,0,0,3,3,3,3,3,3,3,3,3,3,3,3> S, standard capture");
    assert_eq!(lines[1], "margin  2");
    assert!(lines[2].starts_with("claims  ") && lines[3].starts_with("nodes   "), "{lines:?}");
    assert_eq!(
        lines[4],
        "rests on the tablebase of 10 seeds, whose 646,646 gains were all verified by their moves"
    );
    assert_eq!(lines[5..], ["proven"]);

    let limits = "--proof-seeds 4 --proof-nodes 100";
    let (json, _) = contest
        .played(&format!("solve --houses 4 --seeds 3 --capture empty --proof p --json {limits}"));
    let json: Value = serde_json::from_str(json.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&json["table_seeds"], &json["leaf_nodes"]), (&4.into(), &100.into()));
    let (verified, _) = contest.played("verify-proof p --json --threads 1");
    let verified: Value = serde_json::from_str(&verified).unwrap();
    assert_eq!((&verified["margin"], &verified["fault"]), (&8.into(), &Value::Null));
    for field in ["claims", "leaves", "table_seeds"] {
        assert_eq!(verified[field], json[field]);
    }

    // A wrong value, with a right checksum.
    let bytes = std::fs::read(contest.path("p")).unwrap();
    contest.write("p", with(&bytes, MARGIN, &6_i16.to_le_bytes()));
    let ended = contest.run("verify-proof p");
    assert_eq!(ended.status.code(), Some(1));
    assert_eq!(ended.output.last().unwrap(), "not proven");
    assert!(ended.errors.contains("'p': wrong at claim "), "{}", ended.errors);
    let ended = contest.run("verify-proof p --json");
    let verified: Value = serde_json::from_str(&ended.output[0]).unwrap();
    assert!(verified["fault"].as_str().unwrap().starts_with("wrong at claim "));
    assert_eq!(ended.status.code(), Some(1));

    contest.write("p", &bytes[..bytes.len() - 1]);
    contest.refused("verify-proof p", 1, "'p': is damaged");
    contest.write("p", "no proof");
    contest.refused("verify-proof p", 1, "'p': not a proof file");
    contest.refused("verify-proof .", 1, "a directory, not a regular file");
    contest.refused("verify-proof none", 1, "'none': cannot be read");
    contest.refused("solve --seeds 1 --proof none/p", 1, "cannot write 'none/p'");
    for usage in ["--input p", "--table 1 1"] {
        contest.refused(&format!("solve --proof q {usage}"), 2, "--proof");
    }
    contest.refused("solve --seeds 1 --proof-seeds 3", 2, "--proof");
    contest.refused("solve --seeds 1 --proof q --proof-nodes 16777217", 2, "--proof-nodes");
    assert_eq!(contest.files(), ["kalah-6-3.proof", "p"]);
}
