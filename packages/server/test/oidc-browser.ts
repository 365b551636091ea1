import { type OidcLogin, readMe, type User } from '@carrel/api'
import { accountHeader, publicUrl } from './oidc-provider.ts'
import { bodyOf } from './outcome.ts'
import { type PlainReply, plainRequest } from './plain-request.ts'
import type { TestServer } from './start-server.ts'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

interface Opening {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Browser {
  /** One request, with the cookies of that place; redirects are not followed. */
  open(address: string, options?: Opening): Promise<PlainReply>
  /**
   * It follows redirects from the provider until one leads back to us, and returns that address without going there.
   */
  walk(address: string): Promise<string>
  cookie(name: string): string | undefined
}

const hopsMax = 12

/** It does as much of a browser as a sign-in needs. `node` says, at each request, which of our servers it reaches. */
export const newBrowser = (node: () => { readonly url: string }, account?: string): Browser => {
  const jar = new Map<string, Map<string, Cookie>>()

  const open: Browser['open'] = async (address, { method = 'GET', body, headers } = {}) => {
    const url = new URL(address)
    const cookies = jar.get(url.host) ?? new Map<string, Cookie>()
    jar.set(url.host, cookies)
    const sent = [...cookies.values()].filter(({ path }) => url.pathname.startsWith(path))
    const target = url.origin === publicUrl ? node().url + url.pathname + url.search : address
    const reply = await plainRequest(target, {
      method,
      ...(body !== undefined && { body }),
      headers: {
        ...(sent.length > 0 && { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') }),
        ...(account !== undefined && url.origin !== publicUrl && { [accountHeader]: account }),
        ...(method !== 'GET' && { origin: node().url }),
        ...headers,
      },
    })
    for (const line of reply.headers['set-cookie'] ?? []) keep(cookies, line)
    return reply
  }

  const walk = async (address: string): Promise<string> => {
    let at = address
    for (let hop = 0; hop < hopsMax; hop += 1) {
      const reply = await open(at)
      const { location } = reply.headers
      if (location === undefined) throw new Error(`${at} answered ${reply.status}: ${reply.text.slice(0, 300)}`)
      at = new URL(location, at).href
      if (at.startsWith(publicUrl)) return at
    }
    throw new Error(`Still not back after ${hopsMax} redirects: ${at}`)
  }

  return {
    open,
    walk,
    cookie: (name) => jar.get(new URL(publicUrl).host)?.get(name)?.value,
  }
}

const keep = (cookies: Map<string, Cookie>, line: string): void => {
  const [pair = '', ...attributes] = line.split('; ')
  const [name = '', value = ''] = pair.split('=')
  const path = attributes.find((each) => /^path=/i.test(each))?.slice('path='.length) ?? '/'
  const isGone = attributes.some((each) => /^expires=Thu, 01 Jan 1970/i.test(each) || /^max-age=0$/i.test(each))
  if (isGone) cookies.delete(name)
  else cookies.set(name, { name, value, path })
}

/** The first step, as the web app or an app takes it: where at the provider to go. */
export const begin = async (browser: Browser, options?: OidcLogin, provider = 'main'): Promise<string> => {
  const reply = await browser.open(`${publicUrl}/api/v1/auth/oidc/${provider}/login`, {
    method: 'POST',
    ...(options && { body: options }),
  })
  if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text}`)
  return (reply.json as { redirectUrl: string }).redirectUrl
}

interface Signed {
  readonly browser: Browser
  /** It is the answer of the callback. */
  readonly landed: PlainReply
  readonly location: string
}

/** The whole way of a browser in which somebody is this account at the provider. */
export const signInAs = async (
  node: { readonly url: string },
  account: string,
  options?: OidcLogin,
  provider = 'main',
): Promise<Signed> => {
  const browser = newBrowser(() => node, account)
  const landed = await browser.open(await browser.walk(await begin(browser, options, provider)))
  return { browser, landed, location: landed.headers.location ?? '' }
}

/** It returns who is signed in in this browser. */
export const meIn = async (server: TestServer, browser: Browser): Promise<User> => {
  const cookie = `carrel_session=${browser.cookie('carrel_session') ?? ''}`
  return bodyOf(await server.callWith({ cookie })(readMe, {}))
}
