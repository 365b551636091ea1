const swipeMin = 40

interface Finger {
  readonly x: number
  readonly y: number
}

/** One finger across the page, or along it; `towards` is 1 to the right. Not while the page is larger than the window: then it moves. */
export const listenForSwipes = (
  target: EventTarget,
  { canSwipe, onSwipe }: { readonly canSwipe: () => boolean; readonly onSwipe: (towards: 1 | -1) => void },
): void => {
  let from: Finger | undefined
  const on = (name: string, listener: (event: TouchEvent) => void): void =>
    target.addEventListener(name, (event) => listener(event as TouchEvent), { passive: true })
  on('touchstart', ({ touches }) => {
    const [touch] = touches.length === 1 ? touches : []
    from = touch && { x: touch.screenX, y: touch.screenY }
  })
  on('touchcancel', () => {
    from = undefined
  })
  on('touchend', ({ touches, changedTouches: [touch] }) => {
    const began = touches.length === 0 ? from : undefined
    from = undefined
    if (!began || !touch || !canSwipe()) return
    const [x, y] = [touch.screenX - began.x, touch.screenY - began.y]
    if (Math.abs(x) >= swipeMin && Math.abs(x) > 1.5 * Math.abs(y)) onSwipe(x > 0 ? 1 : -1)
  })
}
