/** The pending draw of each part of the page, in the order of the requests. */
const waiting = new Map<object, () => void>();
let isFrameAsked = false;

/**
 * Draws one part of the page per frame, so that the results of one slider step never have to be laid out and painted in a single frame. A
 * part that asks again while queued keeps its place and draws the newest value.
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
