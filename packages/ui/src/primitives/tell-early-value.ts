/**
 * Tells React of what was typed into an input, or filled in by the browser, before the page's script took it over: React leaves it
 * standing there and says nothing, so that the form would not know what its reader sees in it.
 */
export function tellEarlyValue(input: HTMLInputElement): void {
  const early = input.value;
  // What the page was sent with.
  if (early === input.defaultValue) {
    return;
  }
  const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  // React has read the early value and would see no change: it hears of the first step, not of the way back.
  input.value = input.defaultValue;
  setter?.call(input, early);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
