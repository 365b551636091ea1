import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { inject } from 'vitest'
import { deadlineMs } from '../packages/server/test/deadline.ts'
import { launchChromium } from './chromium.ts'

let running: Promise<Browser> | undefined

/** It answers the browser of this worker, which all its files share. Each window has a profile of its own. */
export const sharedBrowser = async (): Promise<Browser> => {
  const browser = await (running ??= startBrowser())
  if (browser.isConnected()) return browser
  running = startBrowser()
  return running
}

const startBrowser = (): Promise<Browser> => {
  // A worker is ended by this signal. The browser and its folder go with the process, if that leaves by itself.
  process.once('SIGTERM', () => process.exit())
  return launchChromium(inject('chromium'))
}

export interface Complaints {
  /** Errors in the console, faults of scripts, and what the content security policy refused. */
  readonly complaints: string[]
  /** Every address that was asked for. */
  readonly requests: readonly string[]
}

export interface Watched extends Complaints, AsyncDisposable {
  readonly page: Page
}

/** A page in a profile of its own, and everything that goes wrong in it. */
export const watchedPage = async (): Promise<Watched> => {
  const browser = await sharedBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(deadlineMs)
  const page = await context.newPage()
  return { page, ...(await watch(page)), [Symbol.asyncDispose]: () => context.close() }
}

/** Listens for what goes wrong in a page, before anything is opened in it. */
export const watch = async (page: Page): Promise<Complaints> => {
  const complaints: string[] = []
  const requests: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // A page that is left, or asks for something else meanwhile, cancels what it no longer needs.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${reason}`)
  })
  page.on('request', (request) => requests.push(request.url()))
  await page.exposeFunction('refusedByPolicy', (what: string) => complaints.push(what))
  await page.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      refusedByPolicy(violatedDirective + ' refused ' + blockedURI))`,
  })
  return { complaints, requests }
}

export interface Site extends AsyncDisposable {
  readonly port: number
  /** It received these requests. */
  readonly requests: readonly string[]
}

/** A site of somebody else's: one page, without any policy. */
export const foreignSite = async (html = '<!doctype html><title>Elsewhere</title>'): Promise<Site> => {
  const requests: string[] = []
  const server = createServer(({ url = '' }, response) => {
    requests.push(url)
    response.setHeader('content-type', 'text/html').end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
