/** What each part of the page has yet to draw, in the order in which the parts asked. */
const waiting = new Map<object, () => void>();
let isFrameAsked = false;

/**
 * Draws one part of the page a frame. What follows from one step of a slider then never has to be laid out and painted within
 * a single frame; a part that asks again before its turn keeps its place and draws the newest.
 */
export function takeTurn(part: object, draw: () => void): void {
  waiting.set(part, draw);
  askFrame();
}

function askFrame(): void {
  if (!isFrameAsked && waiting.size > 0) {
    isFrameAsked = true;
    requestAnimationFrame(drawNext);
  }
}

function drawNext(): void {
  isFrameAsked = false;
  for (const [part, draw] of waiting) {
    waiting.delete(part);
    askFrame();
    draw();
    return;
  }
}
