/**
 * The page keeps a place for its scrollbar (base.css); a window over it takes that, and has to know how wide it is. It is
 * measured before the first window is shown: below one the place is gone.
 */
const { documentElement } = document
const width = innerWidth - Math.round(documentElement.getBoundingClientRect().width)
documentElement.style.setProperty('--scrollbar', `${width}px`)
