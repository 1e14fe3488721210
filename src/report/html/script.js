(() => {
  'use strict';
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const FIELDS = ['severity', 'service', 'target', 'rule', 'status', 'text'];

  // A statement gets its button when its finding is opened: a long report would have thousands of them.
  const addButtons = (details) => {
    for (const figure of all('.sql', details)) {
      if (figure.querySelector('button')) continue;
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'Copy';
      button.setAttribute('aria-label', 'Copy the statement; review it before running');
      button.addEventListener('click', async () => {
        button.textContent = (await copy(figure.querySelector('code'))) ? 'Copied' : 'Select and copy it';
      });
      figure.append(button);
    }
  };
  const copy = async (code) => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      return true;
    } catch {
      getSelection().selectAllChildren(code);
      return document.execCommand('copy');
    }
  };
  all('.f details[open]').forEach(addButtons);
  document.addEventListener('toggle', (event) => {
    if (event.target.open) addButtons(event.target);
  }, true);

  // What is on paper cannot be opened.
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = all('details:not([open])');
    opened.forEach((details) => { details.open = true; });
  });
  addEventListener('afterprint', () => {
    opened.forEach((details) => { details.open = false; });
    opened = [];
  });

  // A link to a finding shows it, whatever the filters say.
  const show = (id) => {
    const element = document.getElementById(id);
    if (!element) return false;
    if (form && element.closest('[hidden]')) {
      form.reset();
      apply();
    }
    for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    const own = element.querySelector(':scope > details');
    if (own) own.open = true;
    element.scrollIntoView();
    return true;
  };

  const form = document.getElementById('filters');
  const count = document.getElementById('count');
  const targets = all('.target').map((element) => ({
    element,
    target: element.dataset.target,
    service: element.dataset.service,
    more: element.querySelector('.more'),
    cards: all('.f', element).map((card) => ({ element: card, ...card.dataset })),
  }));
  const total = targets.reduce((sum, target) => sum + target.cards.length, 0);

  const read = () => {
    const data = new FormData(form);
    const state = Object.fromEntries(FIELDS.map((name) => [name, data.get(name) ?? '']));
    state.severity = data.getAll('severity');
    return state;
  };
  const isSet = (state) => FIELDS.some((name) => state[name].length > 0);

  const apply = () => {
    const state = read();
    const text = state.text.trim().toLowerCase();
    const fits = (target, card) =>
      (state.severity.length === 0 || state.severity.includes(card.severity)) &&
      (!state.rule || card.rule === state.rule) &&
      (!state.status || card.status === state.status) &&
      (!text || target.target.toLowerCase().includes(text) || (card.words ??= card.element.textContent.toLowerCase()).includes(text));
    let shown = 0;
    for (const target of targets) {
      const wanted = (!state.target || target.target === state.target) && (!state.service || target.service === state.service);
      let here = 0;
      let folded = 0;
      for (const card of target.cards) {
        const fit = wanted && fits(target, card);
        card.element.hidden = !fit;
        if (!fit) continue;
        here += 1;
        if (target.more?.contains(card.element)) folded += 1;
      }
      shown += here;
      // A choice of targets alone shows them as they are, findings or not.
      const onlyPlace = !state.severity.length && !state.rule && !state.status && !text;
      target.element.hidden = !wanted || (here === 0 && !onlyPlace);
      if (target.more) {
        target.more.hidden = folded === 0;
        if (isSet(state) && here <= 500) target.more.open = true;
      }
    }
    const words = `${total.toLocaleString('en')} ${total === 1 ? 'finding' : 'findings'}`;
    count.textContent = isSet(state) ? `${shown.toLocaleString('en')} of ${words}` : words;
  };

  const save = () => {
    const state = read();
    const hash = new URLSearchParams();
    for (const name of FIELDS) if (state[name].length) hash.set(name, String(state[name]));
    // A link to a finding stays.
    if (hash.size === 0 && !location.hash.includes('=')) return;
    history.replaceState(null, '', hash.size ? `#${hash}` : location.pathname + location.search);
  };

  const load = () => {
    const hash = location.hash.slice(1);
    if (!hash.includes('=')) return show(hash);
    const state = new URLSearchParams(hash);
    form.reset();
    for (const name of FIELDS.slice(1)) form.elements[name].value = state.get(name) ?? '';
    const severities = (state.get('severity') ?? '').split(',');
    for (const box of all('[name=severity]', form)) box.checked = severities.includes(box.value);
    apply();
    return true;
  };

  if (form) {
    form.hidden = false;
    let timer;
    const changed = () => { apply(); save(); };
    form.addEventListener('input', (event) => {
      clearTimeout(timer);
      timer = setTimeout(changed, event.target.name === 'text' ? 120 : 0);
    });
    form.addEventListener('reset', () => { setTimeout(changed); });
    form.addEventListener('submit', (event) => { event.preventDefault(); });
    const set = (open) => () => {
      for (const details of all('.f:not([hidden]) details, .more:not([hidden])')) details.open = open;
    };
    document.getElementById('open-all').addEventListener('click', set(true));
    document.getElementById('close-all').addEventListener('click', set(false));
    apply();
    addEventListener('hashchange', load);
    if (load() && isSet(read())) document.getElementById('findings').scrollIntoView();
  } else {
    show(location.hash.slice(1));
  }
})();
