import type { Page } from 'playwright-core'

type Points = readonly (readonly [x: number, y: number])[]

/** It puts fingers down, moves them and lifts them, as a touchscreen reports it. */
export const fingers = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Points) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })
  return async (from: Points, to: Points): Promise<void> => {
    await send('touchStart', from)
    for (let step = 1; step <= 4; step += 1) {
      await send(
        'touchMove',
        from.map(([x, y], at) => {
          const [toX, toY] = to[at] ?? [x, y]
          return [x + ((toX - x) * step) / 4, y + ((toY - y) * step) / 4]
        }),
      )
    }
    await send('touchEnd', [])
  }
}
