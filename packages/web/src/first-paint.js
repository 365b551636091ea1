// Runs before anything is painted, so that no page flashes in the wrong colours. A file of its own, because the
// content security policy allows no script inside the page.
;(() => {
  const root = document.documentElement
  let colourScheme = 'system'
  try {
    colourScheme = localStorage.getItem('carrel.look') ?? 'system'
  } catch {
    // Storage may be forbidden: then it is the colour scheme of the system.
  }
  const isDark =
    colourScheme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : colourScheme !== 'light'
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
  root.toggleAttribute('data-oled', colourScheme === 'oled')
})()
