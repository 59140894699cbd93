/** A test that shows what the text says. A test of the documentation holds that it exists under this name. */
export function Proof({ file, test }: { file: string; test: string }) {
  return (
    <p className="wrap-anywhere mt-3 border-line-strong border-l-2 pl-3 text-[0.8125rem] text-ink-3 leading-5">
      Test: “{test}” in <span className="break-all font-mono text-xs">{file}</span>
    </p>
  );
}
