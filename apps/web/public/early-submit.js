// Holds back forms that are submitted before hydration. The page's script handles forms without a method of their own; submitted earlier
// (see lib/scripted), they would only reload the page and lose the typed values.
document.addEventListener(
  'submit',
  (event) => {
    const root = document.documentElement;
    const form = event.target;
    if (root.dataset.scripted !== 'no' || form.hasAttribute('method')) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const send = new MutationObserver(() => {
      send.disconnect();
      form.requestSubmit(event.submitter);
    });
    send.observe(root, { attributeFilter: ['data-scripted'] });
  },
  true,
);
