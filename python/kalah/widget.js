// The page's half of kalah.widget.BoardWidget: shows what Python draws, and sends what is asked for.

const STYLE = `
.kalah-board { max-width: 640px }
.kalah-board svg { width: 100%; height: auto }
.kalah-board [role=button] { cursor: pointer }
.kalah-board [role=button]:hover, .kalah-board [role=button]:focus-visible { stroke: #fff; stroke-width: 3; outline: none }
.kalah-board text { pointer-events: none }
.kalah-board .kalah-value { fill: #ffd166; font: 600 13px system-ui, sans-serif; text-anchor: middle }
.kalah-board div { display: flex; gap: 8px; align-items: center }
`;

function render({ model, el }) {
  const style = document.createElement("style");
  style.textContent = STYLE;
  const picture = document.createElement("figure");
  picture.style.margin = "0 0 8px";
  const bar = document.createElement("div");
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  const button = (text, message) => {
    const made = document.createElement("button");
    made.textContent = text;
    made.addEventListener("click", () => model.send(message));
    return made;
  };
  const undo = button("Take back", "undo");
  const analyse = button("Analyse", "analyse");
  bar.append(undo, analyse, status);
  el.classList.add("kalah-board");
  el.append(style, picture, bar);

  function draw() {
    const state = model.get("shown");
    const focused = picture.contains(document.activeElement) && document.activeElement.dataset.move;
    picture.innerHTML = state.picture;
    status.textContent = state.status;
    undo.disabled = !state.can_undo;
    analyse.disabled = state.moves.length === 0;
    for (const house of picture.querySelectorAll("[data-move]")) {
      const { move } = house.dataset;
      const value = state.values[move];
      if (value) {
        const text = document.createElementNS(house.namespaceURI, "text");
        text.setAttribute("class", "kalah-value");
        text.setAttribute("x", house.getAttribute("cx"));
        text.setAttribute("y", Number(house.getAttribute("cy")) + 25);
        text.textContent = value;
        house.parentNode.append(text);
      }
      if (!state.moves.includes(move)) continue;
      house.setAttribute("role", "button");
      house.setAttribute("tabindex", "0");
      house.setAttribute("aria-label", value ? `${move}, ${value}` : move);
      const play = () => model.send({ play: move });
      house.addEventListener("click", play);
      house.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        play();
      });
      if (move === focused) house.focus();
    }
  }
  model.on("change:shown", draw);
  draw();
  return () => model.off("change:shown", draw);
}

export default { render };
