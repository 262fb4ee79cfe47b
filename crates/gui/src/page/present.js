// The view for a projector: the board alone, as large as the screen.

import { button } from "./page.js";

export function preparePresenter() {
  const isOn = () => "present" in document.body.dataset;
  const turn = (/** @type {boolean} */ on) => {
    document.body.toggleAttribute("data-present", on);
    button("present").ariaPressed = String(on);
  };
  button("present").onclick = async () => {
    turn(!isOn());
    // A browser that has no full screen shows it in its window.
    if (isOn()) await document.documentElement.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) await document.exitFullscreen();
  };
  document.addEventListener("fullscreenchange", () => !document.fullscreenElement && turn(false));
  document.addEventListener("keydown", ({ key }) => key === "Escape" && !document.querySelector("dialog[open]") && isOn() && turn(false));
}
