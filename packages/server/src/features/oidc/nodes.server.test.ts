import { expect, test } from 'vitest'
import { begin, meIn, newBrowser } from '../../../test/oidc-browser.ts'
import { settingsFor, startProvider } from '../../../test/oidc-provider.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'

const creating = { CARREL_OIDC_MAIN_CREATE_USERS: 'true' }

test('AUTH-8 each step may be taken by another node', async () => {
  await using provider = await startProvider()
  const env = settingsFor(provider.issuer, creating)
  await using one = await startServer({ env })
  await using two = await startServer({ env, address: one.context.config.database })
  const nodes = [one, two]
  let steps = 0
  for (let count = 0; count < 10; count += 1) {
    const browser = newBrowser(() => nodes[(steps += 1) % 2] ?? one, `person-${count}`)
    const landed = await browser.open(await browser.walk(await begin(browser)))
    expect(landed.headers.location).toBe('/')
    for (const node of nodes) expect((await meIn(node, browser)).role).toBe('reader')
    // The next sign-in then takes the steps the other way round.
    steps += 1
  }
})

test('AUTH-8 a server that was restarted between the steps goes on where the other left off', async () => {
  await using provider = await startProvider()
  const env = settingsFor(provider.issuer, creating)
  await using database = await startServer()
  const restarted = () => startServer({ env, address: database.context.config.database })
  let node: TestServer = await restarted()
  const restart = async () => {
    await node[Symbol.asyncDispose]()
    node = await restarted()
  }
  const browser = newBrowser(() => node, 'ana-1')
  const atProvider = await begin(browser)
  await restart()
  const atCallback = await browser.walk(atProvider)
  await restart()
  const landed = await browser.open(atCallback)
  await restart()

  expect(landed.headers.location).toBe('/')
  expect((await meIn(node, browser)).role).toBe('reader')
  await node[Symbol.asyncDispose]()
})
