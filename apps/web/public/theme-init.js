// Sets the theme before the first paint to avoid a flash. Same key and values as packages/ui/src/theme.
(() => {
  const root = document.documentElement;
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    let choice = null;
    try {
      choice = window.localStorage.getItem('penstock-theme');
    } catch {
      // Storage is blocked: follow the system.
    }
    const dark = choice === 'dark' || (choice !== 'light' && system.matches);
    root.dataset.theme = dark ? 'dark' : 'light';
  };
  apply();
  system.addEventListener('change', apply);
  window.addEventListener('storage', apply);
})();
