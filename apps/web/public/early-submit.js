// A form without a method of its own is sent by the page's script. Sent before that has taken the page over (see lib/scripted), it
// would only load the page anew, without what was typed: it waits.
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
