// Runs before anything is painted, so that no page flashes in the wrong colours. A file of its own, because the
// content security policy allows no script inside the page.
;(() => {
  const root = document.documentElement
  // What every page asks, and what this one asked at its last visit, is on its way while the scripts are read (api/early-requests.ts).
  const asked = new Map()
  const ask = (address, headers) =>
    asked.set(
      address,
      fetch(address, { headers }).catch(() => undefined),
    )
  globalThis.askedAhead = asked
  ask(new URL('../api/v1/auth/session', document.currentScript.src).pathname)
  let look = 'system'
  let accent = 'covers'
  try {
    look = localStorage.getItem('carrel.look') ?? look
    accent = localStorage.getItem('carrel.accent') ?? accent
    const { headers, pages } = JSON.parse(localStorage.getItem('carrel.ahead') ?? '{"pages":[]}')
    const [, addresses = []] = pages.find(([page]) => page === location.pathname + location.search) ?? []
    for (const address of addresses) if (!asked.has(address)) ask(address, headers)
  } catch {
    // Storage may be forbidden, or hold what nobody can read: then what was found so far counts.
  }
  const system = matchMedia('(prefers-color-scheme: dark)')
  const ofSystem = () => (system.matches ? 'dark' : 'light')
  const shown = look === 'system' ? ofSystem() : look
  root.setAttribute('data-mantine-color-scheme', shown === 'dark' || shown === 'oled' ? 'dark' : 'light')
  root.dataset.look = look
  if (accent !== 'covers') root.dataset.tones = 'off'
  if (accent !== 'covers' && accent !== 'verdigris') root.dataset.accent = accent
  // The bars of browsers and phones are painted before any style sheet is there: the grounds of looks.css, once more.
  const grounds = { light: '#f7f7f5', dark: '#141615', oled: '#000000', sepia: '#f4ecd9', eink: '#ffffff' }
  const bars = document.createElement('meta')
  bars.name = 'theme-color'
  bars.content = grounds[shown] ?? grounds.light
  document.head.append(bars)
  system.addEventListener('change', () => {
    if (root.dataset.look === 'system') bars.content = grounds[ofSystem()]
  })
})()
