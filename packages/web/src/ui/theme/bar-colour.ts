/** What a reader shows around its pages; the app itself has its ground. */
let own: string | undefined

/** Browsers and phones paint their own bars in the colour of the page below them. */
export const setBarColour = (): void => {
  // Mantine writes the scheme in an effect: what the ground is then is known a moment later.
  requestAnimationFrame(() => {
    const ground = own ?? getComputedStyle(document.documentElement).getPropertyValue('--surface').trim()
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', ground)
  })
}

/** Undefined: the ground of the look again. @public */
export const setOwnBarColour = (colour: string | undefined): void => {
  own = colour
  setBarColour()
}
