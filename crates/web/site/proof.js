// Verifies a proof in a worker, and shows how far it is.

const byId = (id) => document.getElementById(id);
const included = [...document.querySelectorAll("[data-proof]")];
const grouped = (number) => number.toLocaleString("en");
let worker = null;

function enableChoice(isEnabled) {
  for (const each of [...included, byId("file")]) each.disabled = !isEnabled;
}

function end(text, style = "") {
  worker?.terminate();
  worker = null;
  byId("stop").hidden = true;
  enableChoice(true);
  byId("result").className = style;
  byId("result").textContent = text;
}

/** Begins with the bytes of a proof, once they are there. */
async function begin(name, bytes) {
  end("");
  byId("course").hidden = false;
  byId("claim").textContent = `${name} …`;
  byId("far").textContent = "";
  byId("bar").value = 0;
  byId("stop").hidden = false;
  enableChoice(false);
  const started = performance.now();
  const mine = (worker = new Worker("worker.js", { type: "module" }));
  let claim = null;
  const fail = (error) => worker === mine && end(String(error), "bad");
  mine.onerror = (event) => fail(event.message);
  mine.onmessage = ({ data }) => {
    if (worker !== mine) return;
    if (data.claim) {
      claim = data.claim;
      byId("claim").textContent = `${name}: ${claim.board}, ${claim.rules}: the margin is ${claim.margin} for the player to move, by ${grouped(claim.claims)} claims.`;
      byId("bar").max = claim.leaves || 1;
    }
    if (data.event) {
      const { gains, leaves, nodes } = JSON.parse(data.event);
      byId("bar").value = leaves;
      byId("far").textContent = leaves
        ? `${grouped(leaves)} of ${grouped(claim.leaves)} leaves searched, ${grouped(nodes)} positions; ${grouped(gains)} values of the tablebase verified`
        : gains ? `${grouped(gains)} values of the tablebase verified` : "The tablebase is built …";
    }
    if (data.verified) end(`Proven, in ${Math.round((performance.now() - started) / 1000)} s.`, "good");
    if (data.ended !== undefined) end(`${name}: ${data.ended}`, "bad");
  };
  try {
    const file = "wasm/engine_bg.wasm";
    // A host that calls the file something else.
    const compiled = WebAssembly.compileStreaming(fetch(file)).catch(async () => WebAssembly.compile(await fetched(file)));
    const [module, proof] = await Promise.all([compiled, bytes]);
    if (worker !== mine) return;
    mine.postMessage({ module, ends: null, signal: "" });
    mine.postMessage({ proof: new Uint8Array(proof) });
  } catch (error) {
    fail(error.message);
  }
}

async function fetched(file) {
  const reply = await fetch(file);
  if (!reply.ok) throw new Error(`${file}: ${reply.status}`);
  return reply.arrayBuffer();
}

for (const button of included) button.onclick = () => begin("Kalah(6,6)", fetched(button.dataset.proof));
byId("file").onchange = ({ target }) => {
  const [file] = target.files;
  if (file) begin(file.name, file.arrayBuffer());
  target.value = "";
};
byId("stop").onclick = () => end("Stopped.");
