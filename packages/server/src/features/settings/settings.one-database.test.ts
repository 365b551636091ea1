import * as api from '@carrel/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

/** What changes nothing shares a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const list = async (person: Person, category?: string) =>
  bodyOf(await person.call(api.listSettings, { query: { ...(category && { category }) } })).settings
const read = async (person: Person, key: string) => bodyOf(await person.call(api.readSetting, { params: { key } }))
const save = (person: Person, key: string, value: unknown, changeReason?: string) =>
  person.call(api.saveSetting, { params: { key }, body: { value, ...(changeReason && { changeReason }) } })
const history = async (person: Person, key: string, query: { page?: number; pageSize?: number } = {}) =>
  bodyOf(await person.call(api.listSettingHistory, { params: { key }, query }))

// The list is copied by hand from pins C6.
const defaults = {
  'compat.enabled': false,
  'compat.prefix': 'komga',
  'compat.spelling': 'auto',
  'koreader.enabled': true,
  'opds.enabled': true,
  'opds.basic': true,
  'rate_limit.anonymous_rps': 10,
  'rate_limit.anonymous_burst': 50,
  'rate_limit.authenticated_rps': 50,
  'rate_limit.authenticated_burst': 200,
  'scan.hold_percent': 10,
  'scan.hold_books': 20,
  'scan.auto_confirm': false,
  'scan.watch': true,
  'trash.retention_days': 0,
  'metrics.task_retention_days': 30,
  'thumbnail.max_dimension': 400,
  'thumbnail.quality': 85,
  'plugins.allowed_packages': [],
}

test('C6 the settings there must be have these values until somebody changes them', async () => {
  const admin = await server.person('admin')

  const settings = await list(admin)

  const values = Object.fromEntries(settings.map(({ key, value }) => [key, value]))
  expect(values).toMatchObject(defaults)
  for (const key of ['display.custom_metadata_template', 'deduplication.cron_schedule', 'backup.cron_schedule']) {
    expect(values[key]).toBeTypeOf('string')
  }
  for (const setting of settings) {
    expect(setting.defaultValue).toEqual(setting.value)
    expect(setting.category).toBe(setting.key.split('.')[0])
    expect(setting).toMatchObject({ isSensitive: false, restartRequired: false, updatedAt: null, updatedBy: null })
    expect(setting.description).not.toBe('')
  }
})

test('C6 a setting has these fields and no others', async () => {
  const admin = await server.person('admin')

  expect(await read(admin, 'rate_limit.anonymous_rps')).toStrictEqual({
    key: 'rate_limit.anonymous_rps',
    category: 'rate_limit',
    value: 10,
    valueType: 'integer',
    defaultValue: 10,
    minimum: 1,
    maximum: 10_000,
    allowed: null,
    description: expect.any(String),
    isSensitive: false,
    restartRequired: false,
    updatedAt: null,
    updatedBy: null,
  })
  expect(await read(admin, 'compat.spelling')).toMatchObject({
    valueType: 'string',
    minimum: null,
    maximum: null,
    allowed: ['auto', 'law', 'komga'],
  })
})

test('C6 settings are listed by category', async () => {
  const admin = await server.person('admin')

  expect((await list(admin, 'opds')).map(({ key }) => key)).toEqual(['opds.enabled', 'opds.basic'])
  expect(await list(admin, 'nonsense')).toEqual([])
})

describe('CFG-4 a value of the wrong kind is refused, says why, and changes nothing', () => {
  const cases: readonly [string, unknown[]][] = [
    ['opds.enabled', ['true', 1, null, [], {}]],
    ['rate_limit.anonymous_rps', [0, -1, 10_001, 1.5, '10', null, true, [], 1e300]],
    ['rate_limit.authenticated_burst', [0, 100_001]],
    ['scan.hold_percent', [-1, 101]],
    ['thumbnail.quality', [9, 101]],
    ['compat.spelling', ['other', '', 'AUTO', 1, null]],
    ['compat.prefix', ['', 'a', 'A1', 'Komga', '1abc', '-abc', 'a b', 'a/b', 'ab\n', 'x'.repeat(33), 'a_b', null, 7]],
    ['compat.prefix', ['api', 'opds', 'koreader', 'health', 'metrics', 'media', 'assets', 'read']],
    ['backup.cron_schedule', ['daily', '* * * *', '* * * * * *', 'rm -rf / ; x x', 7]],
    ['display.custom_metadata_template', ['x'.repeat(10_001), 7, null]],
    ['plugins.allowed_packages', ['left-pad', [7], ['../x'], ['a b'], ['UPPER'], [''], { a: 1 }]],
  ]

  for (const [key, values] of cases) {
    test(`${key}: ${values.map((value) => JSON.stringify(value).slice(0, 20)).join(', ')}`, async () => {
      const admin = await server.person('admin')
      const before = await read(admin, key)

      for (const value of values) {
        const refused = await save(admin, key, value)
        expect([value, refused.status]).toEqual([value, 400])
        expect(errorOf(refused)).toMatchObject({
          error: 'validation_failed',
          message: expect.stringContaining(key),
          details: [{ path: '/value', message: expect.stringMatching(/^must /) }],
        })
      }
      expect(await read(admin, key)).toEqual(before)
      expect((await history(admin, key)).total).toBe(0)
    })
  }
})

test('CFG-4 the bounds themselves, and values of every kind, are accepted', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const good: readonly [string, unknown][] = [
    ['rate_limit.anonymous_rps', 1],
    ['rate_limit.anonymous_rps', 10_000],
    ['scan.hold_percent', 0],
    ['scan.hold_percent', 100],
    ['compat.enabled', true],
    ['compat.spelling', 'law'],
    ['compat.prefix', 'ab'],
    ['compat.prefix', `k${'-'.repeat(31)}`],
    ['compat.prefix', 'reader'],
    ['backup.cron_schedule', '0 4 * * *'],
    ['backup.cron_schedule', '*/15 0-6 1,15 * MON-FRI'],
    ['backup.cron_schedule', ''],
    ['display.custom_metadata_template', '{{#each metadata.genres}}{{this}}{{/each}} 漫画'],
    ['plugins.allowed_packages', ['left-pad', '@carrel/plugin-anilist']],
    ['plugins.allowed_packages', []],
  ]

  for (const [key, value] of good) expect(bodyOf(await save(admin, key, value)).value).toEqual(value)
})

test('C6 an unknown key is 404 everywhere but in a bulk change, where it is named', async () => {
  const admin = await server.person('admin')

  for (const key of ['nonsense', 'rate_limit', '__proto__', 'constructor', 'OPDS.ENABLED', 'opds.enabled ']) {
    const params = { key }
    for (const refused of [
      await admin.call(api.readSetting, { params }),
      await save(admin, key, true),
      await admin.call(api.listSettingHistory, { params }),
      await admin.call(api.resetSetting, { params }),
    ]) {
      expect([key, refused.status, errorOf(refused).error]).toEqual([key, 404, 'not_found'])
    }
  }
  const bulk = await admin.call(api.saveSettings, {
    body: {
      updates: [
        { key: 'opds.enabled', value: false },
        { key: 'nonsense', value: 1 },
      ],
    },
  })
  expect(errorOf(bulk)).toMatchObject({ error: 'validation_failed', details: [{ path: '/updates/1/key' }] })
})

test('C6 every user reads the public settings, and only administrators the others', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const ana = await server.person('reader')
  const editor = await server.person('editor')
  await save(admin, 'compat.enabled', true)

  const shown = bodyOf(await ana.call(api.readPublicSettings, {}))

  expect(shown['compat.enabled']).toStrictEqual({ key: 'compat.enabled', value: true })
  expect(Object.keys(shown)).not.toContain('plugins.allowed_packages')
  expect((await server.call(api.readPublicSettings, {})).status).toBe(401)
  for (const person of [ana, editor]) {
    for (const refused of [
      await person.call(api.listSettings, {}),
      await person.call(api.readSetting, { params: { key: 'opds.enabled' } }),
      await save(person, 'opds.enabled', false),
      await person.call(api.resetSetting, { params: { key: 'opds.enabled' } }),
      await person.call(api.listSettingHistory, { params: { key: 'opds.enabled' } }),
      await person.call(api.saveSettings, { body: { updates: [{ key: 'opds.enabled', value: false }] } }),
    ]) {
      expect(refused.status).toBe(403)
    }
  }
})

test('W17 variables give settings the value they have until somebody changes them', async () => {
  await using server = await startServer({
    env: {
      CARREL_SETTING_RATE_LIMIT_ANONYMOUS_RPS: '25',
      CARREL_SETTING_OPDS_BASIC: 'false',
      CARREL_SETTING_COMPAT_PREFIX: 'kavita',
      CARREL_SETTING_PLUGINS_ALLOWED_PACKAGES: 'left-pad, @carrel/plugin-anilist',
    },
  })
  const admin = await server.person('admin')

  expect(await read(admin, 'rate_limit.anonymous_rps')).toMatchObject({ value: 25, defaultValue: 10, updatedAt: null })
  expect(await read(admin, 'opds.basic')).toMatchObject({ value: false })
  expect(await read(admin, 'compat.prefix')).toMatchObject({ value: 'kavita' })
  expect(await read(admin, 'plugins.allowed_packages')).toMatchObject({ value: ['left-pad', '@carrel/plugin-anilist'] })
  await save(admin, 'rate_limit.anonymous_rps', 30)
  expect((await history(admin, 'rate_limit.anonymous_rps')).data).toMatchObject([{ oldValue: 25, newValue: 30 }])
  const reset = await admin.call(api.resetSetting, { params: { key: 'rate_limit.anonymous_rps' } })
  expect(bodyOf(reset).value).toBe(25)
})

test('W17 a variable that names no setting or gives a wrong value stops the start with one sentence', async () => {
  const starting = (env: Record<string, string>) => startServer({ env })

  await expect(starting({ CARREL_SETTING_NONSENSE: '1' })).rejects.toThrow('CARREL_SETTING_NONSENSE names no setting')
  await expect(starting({ CARREL_SETTING_THUMBNAIL_QUALITY: '500' })).rejects.toThrow(
    'CARREL_SETTING_THUMBNAIL_QUALITY is "500", but must be at most 100',
  )
  await expect(starting({ CARREL_SETTING_OPDS_BASIC: 'perhaps' })).rejects.toThrow('must be true or false')
  const sure = 'CARREL_SETTING_PLUGINS_AUTO_MATCH_CONFIDENCE_THRESHOLD'
  await expect(starting({ [sure]: 'quite' })).rejects.toThrow(`${sure} is "quite", but must be a number`)
})

test('CFG-4 another rate limit takes effect with the next request', async () => {
  await using server = await startServer({ env: { CARREL_RATE_LIMIT_ENABLED: 'true' } })
  const admin = await server.person('admin')
  const limitOf = async () => (await admin.call(api.readMe, {})).headers.get('x-ratelimit-limit')

  expect(await limitOf()).toBe('200')
  await save(admin, 'rate_limit.authenticated_burst', 3)
  expect(await limitOf()).toBe('3')
  await admin.call(api.resetSetting, { params: { key: 'rate_limit.authenticated_burst' } })
  expect(await limitOf()).toBe('200')
})
