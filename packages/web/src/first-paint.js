// Runs before anything is painted, so that no page flashes in the wrong colours. A file of its own, because the
// content security policy allows no script inside the page.
;(() => {
  const root = document.documentElement
  // Every page begins with the question who is there: it is on its way while the scripts are read (frame/enter.ts).
  globalThis.askedAhead = fetch(new URL('../api/v1/auth/session', document.currentScript.src)).catch(() => undefined)
  let look = 'system'
  let accent = 'covers'
  try {
    look = localStorage.getItem('carrel.look') ?? look
    accent = localStorage.getItem('carrel.accent') ?? accent
  } catch {
    // Storage may be forbidden: then it is the colour scheme of the system.
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
