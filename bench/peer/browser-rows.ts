import type { Browser } from 'playwright-core'
import { launchChromium, unpackChromium } from '../../e2e/chromium.ts'
import type { Row } from './row.ts'
import type { RunningServer } from './server.ts'

const window = { width: 1440, height: 900 }
const tooLongMs = 120_000
const observe = `globalThis.paint = 0
new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) paint = startTime }).observe({ type: 'largest-contentful-paint', buffered: true })`

interface Visit {
  readonly bytes: number
  readonly requests: number
  readonly firstPaintMs: number
  readonly largestPaintMs: number
}

/** The first visit of somebody signed in to the page that a server begins with, in a window that has nothing of it yet. */
export const measureHome = async (servers: readonly RunningServer[], rounds: number): Promise<Row[]> => {
  await using unpacked = await unpackChromium()
  const browser = await launchChromium(unpacked.folder)
  try {
    const visits: Visit[][] = servers.map(() => [])
    for (let round = 0; round < rounds; round += 1)
      for (const [at, server] of servers.entries()) visits[at]?.push(await visitHome(browser, server))
    const of = (figure: (visit: Visit) => number): number[][] => visits.map((each) => each.map(figure))
    return [
      { name: 'home page: sent', unit: 'kB', values: of(({ bytes }) => bytes / 1000) },
      { name: 'home page: requests', unit: '', values: of(({ requests }) => requests) },
      { name: 'home page: first paint', unit: 'ms', values: of(({ firstPaintMs }) => firstPaintMs) },
      { name: 'home page: largest paint', unit: 'ms', values: of(({ largestPaintMs }) => largestPaintMs) },
    ]
  } finally {
    await browser.close()
  }
}

const visitHome = async (browser: Browser, { port, cookies }: RunningServer): Promise<Visit> => {
  const url = `http://127.0.0.1:${port}/`
  const context = await browser.newContext({ viewport: window, locale: 'en' })
  try {
    const signedIn = cookies.map((cookie) => cookie.split(';')[0] ?? '').map((pair) => pair.split(/=(.*)/s))
    await context.addCookies(signedIn.map(([name = '', value = '']) => ({ name, value, url })))
    const page = await context.newPage()
    await page.addInitScript({ content: observe })
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    let bytes = 0
    let requests = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
      requests += 1
    })
    // A stream of events never ends: the page is there when nothing else has come for a while.
    await page.goto(url, { waitUntil: 'load', timeout: tooLongMs })
    for (let before = -1; before !== requests;) {
      before = requests
      await page.waitForTimeout(1500)
    }
    const firstPaintMs = await page.evaluate<number>(
      `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`,
    )
    return { bytes, requests, firstPaintMs, largestPaintMs: await page.evaluate<number>('paint') }
  } finally {
    await context.close()
  }
}
