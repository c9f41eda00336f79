// Runs before the first paint, so that a page in dark does not flash in light: hence no module.
(() => {
  try {
    const chosen = localStorage.getItem('metaq.theme');
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  } catch { /* storage is switched off: the system decides */ }
})();
