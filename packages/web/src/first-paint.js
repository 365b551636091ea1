// Runs before anything is painted, so that no page flashes in the wrong colours. A file of its own, because the
// content security policy allows no script inside the page.
;(() => {
  const root = document.documentElement
  let look = 'system'
  try {
    look = localStorage.getItem('carrel.look') ?? 'system'
  } catch {
    // Storage may be forbidden: then it is the system's look.
  }
  const isDark = look === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : look !== 'light'
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
  root.toggleAttribute('data-oled', look === 'oled')
})()
