/**
 * Tells React about text that was typed, or filled in by the browser, before hydration. React leaves such text in the input and fires no
 * event, so the form would not know the value that the user sees.
 */
export function tellEarlyValue(input: HTMLInputElement): void {
  const early = input.value;
  // The value in the server's HTML.
  if (early === input.defaultValue) {
    return;
  }
  const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  // React has already read the early value and would see no change. It tracks the first assignment, but not the native setter that
  // restores the value.
  input.value = input.defaultValue;
  setter?.call(input, early);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
