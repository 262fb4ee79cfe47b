//! Verifies proofs.

use std::cell::{Cell, RefCell};
use std::num::NonZeroUsize;
use std::sync::Arc;

use js_sys::Function;
use serde_json::json;
use wasm_bindgen::prelude::*;

use kalah::StopToken;
use kalah::proof_file::{ProofFile, ProofProgress};

/// Looks for the stop between two that tell how far it is.
const LOOKS: u32 = 100;

/// The verification that runs, and whom it tells how far it is.
type Running = Option<(Arc<ProofProgress>, Function)>;

thread_local! {
    static RUNNING: RefCell<Running> = const { RefCell::new(None) };
    static LOOKED: Cell<u32> = const { Cell::new(0) };
}

/// What a proof says, before it is verified, as JSON.
///
/// # Errors
/// Throws an error if these are not the bytes of a proof.
#[wasm_bindgen]
pub fn proof_claim(bytes: &[u8]) -> Result<String, JsError> {
    let proof = ProofFile::from_bytes(bytes)?;
    let board = proof.board();
    let claim = json!({
        "board": board.fen(), "rules": board.rules().rule_set().to_string(), "margin": proof.margin(),
        "claims": proof.claims(), "leaves": proof.leaves(),
    });
    Ok(claim.to_string())
}

/// Verifies a proof. `tell` gets how far it is, as JSON: gains of the tablebase, leaves, and positions searched for them.
///
/// # Errors
/// Throws an error if these are not the bytes of a proof, it is wrong, or there is no memory for its tablebase.
#[wasm_bindgen]
pub fn verify(bytes: &[u8], tell: Function) -> Result<(), JsError> {
    let proof = ProofFile::from_bytes(bytes)?;
    let progress = Arc::new(ProofProgress::default());
    RUNNING.set(Some((Arc::clone(&progress), tell)));
    let stop = StopToken::with_poll(|| {
        let looked = LOOKED.get().wrapping_add(1);
        LOOKED.set(looked);
        if looked.is_multiple_of(LOOKS) {
            tell_progress();
        }
        false
    });
    let verified = proof.verify(NonZeroUsize::MIN, &stop, &progress);
    tell_progress();
    RUNNING.set(None);
    verified?;
    Ok(())
}

fn tell_progress() {
    RUNNING.with_borrow(|running| {
        let Some((progress, tell)) = running else { return };
        let (gains, leaves, nodes) = (progress.gains(), progress.leaves(), progress.leaf_nodes());
        let far = json!({"gains": gains, "leaves": leaves, "nodes": nodes});
        // Whoever does not listen does not stop it.
        let _ = tell.call1(&JsValue::NULL, &far.to_string().into());
    });
}
