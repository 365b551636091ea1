import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, describeConfig, describeConfigToStrangers, rangesOf, readConfig } from './config.ts'

let workingDir = ''
beforeEach(() => {
  workingDir = mkdtempSync(join(tmpdir(), 'carrel-config-'))
})
afterEach(() => {
  rmSync(workingDir, { recursive: true, force: true })
})

const withEnv = (env: Record<string, string>) => ({ env, workingDir, isTerminal: false })
const read = (env: Record<string, string> = {}) => readConfig(withEnv(env))
const write = (name: string, content: string): string => {
  const file = join(workingDir, name)
  writeFileSync(file, content)
  return file
}

test('CFG-3 an object store needs its address and both keys, and tells neither what it holds nor its keys', () => {
  const keys = { CARREL_OBJECT_STORE_ACCESS_KEY: 'access-of-ours', CARREL_OBJECT_STORE_SECRET_KEY: 'secret-of-ours' }
  const url = 'https://s3.example.org/covers/carrel'
  expect(read({ ...keys, CARREL_OBJECT_STORE_URL: url }).objectStore).toEqual({
    url,
    isBucketInPath: true,
    region: 'us-east-1',
    accessKey: 'access-of-ours',
    secretKey: 'secret-of-ours',
  })
  const host = { CARREL_OBJECT_STORE_BUCKET_IN: 'host', CARREL_OBJECT_STORE_REGION: 'eu-central-1' }
  expect(read({ ...keys, ...host, CARREL_OBJECT_STORE_URL: 'https://b.s3.example.org' }).objectStore).toMatchObject({
    isBucketInPath: false,
    region: 'eu-central-1',
  })
  const file = write('secret', 'secret-in-a-file\n')
  const { CARREL_OBJECT_STORE_ACCESS_KEY } = keys
  expect(
    read({ CARREL_OBJECT_STORE_ACCESS_KEY, CARREL_OBJECT_STORE_URL: url, CARREL_OBJECT_STORE_SECRET_KEY_FILE: file })
      .objectStore?.secretKey,
  ).toBe('secret-in-a-file')
  for (const given of [
    { CARREL_OBJECT_STORE_URL: url },
    keys,
    { ...keys, CARREL_OBJECT_STORE_URL: 'https://s3.example.org' },
    { ...keys, CARREL_OBJECT_STORE_URL: 'https://me:secret-of-ours@s3.example.org/b' },
    { ...keys, CARREL_OBJECT_STORE_URL: 'https://s3.example.org/b?X-Amz-Signature=secret-of-ours' },
  ]) {
    expect(() => read(given)).toThrow(ConfigError)
    expect(() => read(given)).not.toThrow('secret-of-ours')
  }
  const lines = describeConfig(withEnv({ ...keys, CARREL_OBJECT_STORE_URL: url })).join()
  const told = JSON.stringify(describeConfigToStrangers(withEnv({ ...keys, CARREL_OBJECT_STORE_URL: url })))
  for (const text of [lines, told]) for (const secret of Object.values(keys)) expect(text).not.toContain(secret)
  expect(told).not.toContain('s3.example.org')
})

test('CFG-3 without any setting there are these', () => {
  expect(read()).toStrictEqual({
    host: '127.0.0.1',
    port: 8080,
    dataDir: join(workingDir, 'data'),
    database: { kind: 'sqlite', file: join(workingDir, 'data', 'carrel.db') },
    databasePoolerUrl: undefined,
    databaseReplicaUrl: undefined,
    databaseReplicaLagMs: 5000,
    objectStore: undefined,
    roles: ['api', 'worker'],
    workerConcurrency: 4,
    adminUsername: undefined,
    adminPassword: undefined,
    formerSecretKey: undefined,
    pluginCommands: [],
    pluginSandbox: 'auto',
    pluginRegistry: undefined,
    npmEnvironment: {},
    secretKey: undefined,
    trustedProxies: [],
    publicUrl: undefined,
    basePath: '',
    corsOrigins: [],
    rateLimitEnabled: true,
    docsEnabled: true,
    metricsEnabled: false,
    checkReplies: false,
    logLevel: 'info',
    collector: undefined,
    slowStatementMs: 0,
    drainSeconds: 0,
    hasNormalPriority: false,
    logFormat: 'json',
    libraryRoots: undefined,
    oidc: { callbackBase: 'http://127.0.0.1:8080', providers: [], redirectUris: [] },
    initialSettings: new Map(),
    diskReserveBytes: 64 * 1024 * 1024,
    copiesBeforeMigration: true,
    warnings: [],
  })
})

test('CFG-2 a provider’s secret may stand in a file, and its settings in carrel.yaml', () => {
  write(
    'carrel.yaml',
    'oidc.providers: [my-house]\noidc.my-house.issuer: https://id.example.org\noidc.my-house.client-id: carrel\noidc.my-house.admin-groups: [a, b]\n',
  )
  const { oidc, warnings } = read({ CARREL_OIDC_MY_HOUSE_CLIENT_SECRET_FILE: write('secret', 'from a file\n') })

  expect(oidc.providers).toMatchObject([{ name: 'my-house', clientSecret: 'from a file', adminGroups: ['a', 'b'] }])
  expect(warnings).toEqual([])
})

test('CFG-3 every setting is read from its variable', () => {
  const config = read({
    CARREL_HOST: '::',
    CARREL_PORT: '0',
    CARREL_DATA_DIR: 'books',
    CARREL_DATABASE_URL: 'postgres://user:pass@db/carrel',
    CARREL_ROLES: 'api',
    CARREL_ADMIN_USERNAME: 'ana',
    CARREL_ADMIN_PASSWORD: 'quiet-lamp-over-snow',
    CARREL_SECRET_KEY: 'k'.repeat(32),
    CARREL_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    CARREL_PUBLIC_URL: 'https://books.example.org/shelf',
    CARREL_BASE_PATH: '/shelf/',
    CARREL_CORS_ORIGINS: 'https://reader.example.org',
    CARREL_RATE_LIMIT_ENABLED: 'No',
    CARREL_DOCS_ENABLED: '0',
    CARREL_METRICS_ENABLED: 'TRUE',
    CARREL_LOG_LEVEL: 'warn',
    CARREL_LOG_FORMAT: 'text',
    CARREL_LIBRARY_ROOTS: '/srv/comics,/srv/books',
    CARREL_SETTING_OPDS_BASIC: 'false',
  })

  expect(config).toMatchObject({
    host: '::',
    port: 0,
    dataDir: join(workingDir, 'books'),
    database: { kind: 'postgres', url: 'postgres://user:pass@db/carrel' },
    roles: ['api'],
    adminUsername: 'ana',
    adminPassword: 'quiet-lamp-over-snow',
    trustedProxies: ['10.0.0.0/8', '::1'],
    publicUrl: new URL('https://books.example.org/shelf'),
    basePath: '/shelf',
    corsOrigins: ['https://reader.example.org'],
    rateLimitEnabled: false,
    docsEnabled: false,
    metricsEnabled: true,
    logLevel: 'warn',
    logFormat: 'text',
    libraryRoots: ['/srv/comics', '/srv/books'],
    initialSettings: new Map([['OPDS_BASIC', 'false']]),
    warnings: [],
  })
})

describe('CFG-2 a wrong value stops the start, named with what is allowed', () => {
  const cases: Record<string, readonly string[]> = {
    CARREL_HOST: ['a b', 'http://x', 'ä'],
    CARREL_OTLP_SAMPLE_PERCENT: ['-1', '101', '0.5'],
    CARREL_SLOW_STATEMENT_MS: ['-1', '60001', '1s', '1.5'],
    CARREL_BACKGROUND_PRIORITY: ['high', '10', 'LOW'],
    CARREL_DRAIN_SECONDS: ['-1', '301', '5s', '1.5'],
    CARREL_PORT: ['-1', '65536', '80a', '8080.5', ' 80', '0x50', '123456'],
    CARREL_DATA_DIR: ['a\0b'],
    CARREL_ROLES: ['api,cook', 'API'],
    CARREL_ADMIN_USERNAME: ['a@b', 'a\nb', 'x'.repeat(65)],
    CARREL_TRUSTED_PROXIES: ['10.0.0.0/33', '10.0.0/8', 'proxy', '::/129', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0.1/-1'],
    CARREL_PUBLIC_URL: ['books.example.org', 'ftp://x', 'https://', 'javascript:alert(1)'],
    CARREL_BASE_PATH: ['shelf', '/a b', '//', '/a//b', '/a?b', '/<script>'],
    CARREL_CORS_ORIGINS: ['https://a.example/', 'https://a.example/path', '*', 'a.example', 'null'],
    CARREL_RATE_LIMIT_ENABLED: ['maybe', '2', 'on'],
    CARREL_DOCS_ENABLED: ['off'],
    CARREL_METRICS_ENABLED: ['-'],
    CARREL_LOG_LEVEL: ['loud', 'INFO'],
    CARREL_LOG_FORMAT: ['xml'],
  }

  for (const [name, values] of Object.entries(cases)) {
    test(`for ${name}`, () => {
      for (const value of values) {
        const message = refusalOf({ [name]: value })
        expect(message).toMatch(new RegExp(`^${name} is .*, but must be \\S`))
        expect(message).toContain(JSON.stringify(value))
        expect(message).not.toContain('\n')
      }
    })
  }
})

test('CFG-2 a wrong value that is secret is not repeated', () => {
  for (const [name, value] of [
    ['CARREL_ADMIN_PASSWORD', 'too-short'],
    ['CARREL_SECRET_KEY', 'too-short'],
    ['CARREL_DATABASE_URL', 'mysql://user:too-short@db'],
    ['CARREL_DATABASE_URL', 'postgres://'],
    ['CARREL_DATABASE_URL', 'postgres://user:too-short@db/carrel?sslmode=toString'],
    ['CARREL_DATABASE_POOLER_URL', 'sqlite:carrel.db'],
    ['CARREL_DATABASE_REPLICA_URL', 'sqlite:carrel.db'],
  ] as const) {
    expect(() => read({ [name]: value })).toThrow(new RegExp(`^${name} is set to something, but must be `))
    expect(() => read({ [name]: value })).not.toThrow(/too-short/)
  }
})

test('CFG-5 an administrator needs a name and a password, both or neither', () => {
  expect(() => read({ CARREL_ADMIN_USERNAME: 'ana' })).toThrow('belong together')
  expect(() => read({ CARREL_ADMIN_PASSWORD: 'quiet-lamp-over-snow' })).toThrow('belong together')
})

for (const name of ['CARREL_DATABASE_POOLER_URL', 'CARREL_DATABASE_REPLICA_URL'])
  test(`CFG-3 ${name} needs the address of the database itself beside it`, () => {
    const beside = { [name]: 'postgres://db/carrel' }
    expect(() => read(beside)).toThrow('needs CARREL_DATABASE_URL too')
    expect(() => read({ ...beside, CARREL_DATABASE_URL: 'sqlite:carrel.db' })).toThrow('needs CARREL_DATABASE_URL too')
  })

test('CFG-2 an empty variable is as good as none', () => {
  expect(read({ CARREL_PORT: '', CARREL_PUBLIC_URL: '' })).toMatchObject({ port: 8080, publicUrl: undefined })
})

test('CFG-2 an unknown variable is told, not obeyed', () => {
  expect(read({ CARREL_PROT: '80', OTHER: '1' }).warnings).toEqual([
    'CARREL_PROT is not a setting of Carrel and has no effect',
  ])
})

test('CFG-2 a secret can come from a file, without the line break at its end', () => {
  const file = write('secret', `${'k'.repeat(40)}\n`)

  expect(read({ CARREL_SECRET_KEY_FILE: file })).toMatchObject({ secretKey: 'k'.repeat(40), warnings: [] })
  expect(() => read({ CARREL_SECRET_KEY_FILE: join(workingDir, 'none') })).toThrow(
    /^CARREL_SECRET_KEY_FILE names the file/,
  )
})

test('CFG-2 carrel.yaml holds the same keys, in any of their spellings, and the environment wins', () => {
  write(
    'carrel.yaml',
    [
      'port: 9000',
      'base-path: /shelf',
      'CARREL_LOG_LEVEL: debug',
      'docs.enabled: false',
      'trusted_proxies: [10.0.0.0/8, "::1"]',
      'setting_opds_basic: false',
      'prot: 1',
    ].join('\n'),
  )

  expect(read({ CARREL_PORT: '9001' })).toMatchObject({
    port: 9001,
    basePath: '/shelf',
    logLevel: 'debug',
    docsEnabled: false,
    trustedProxies: ['10.0.0.0/8', '::1'],
    initialSettings: new Map([['OPDS_BASIC', 'false']]),
    warnings: ['CARREL_PROT is not a setting of Carrel and has no effect'],
  })
})

test('CFG-2 another file can be named, and then must be there', () => {
  const file = write('other.yaml', 'port: 9002')

  expect(read({ CARREL_CONFIG: file }).port).toBe(9002)
  expect(read({ CARREL_CONFIG: 'other.yaml' }).port).toBe(9002)
  expect(() => read({ CARREL_CONFIG: 'none.yaml' })).toThrow(/^The configuration file .*none\.yaml cannot be read/)
})

test('CFG-2 a file that makes no sense stops the start in one line', () => {
  const nonsense = [
    'port: [',
    '- a\n- b',
    'just text',
    'port: {a: 1}',
    'port: null',
    'port: 70000',
    'a: &a [*a]',
    'port: [[1]]',
  ]
  for (const content of nonsense) {
    write('carrel.yaml', content)
    expect([content, refusalOf()]).toEqual([content, expect.stringMatching(/^[^\n]+$/)])
  }
  write('carrel.yaml', '# nothing\n')
  expect(read().port).toBe(8080)
})

const refusalOf = (env: Record<string, string> = {}): string => {
  try {
    read(env)
    return 'nothing\nwas refused'
  } catch (error) {
    return error instanceof ConfigError ? error.message : `another\nfault: ${String(error)}`
  }
}

test('CFG-2 a file cannot reach what is not a setting', () => {
  write('carrel.yaml', '__proto__: {port: 1}\n')
  expect(() => read()).toThrow(ConfigError)
  write('carrel.yaml', '__proto__: 1\nconstructor: 2\n')
  const config = read()
  expect(config.port).toBe(8080)
  expect(config.warnings).toHaveLength(2)
})

test('CFG-2 what has been read does not change', () => {
  const config = read()

  expect(Object.isFrozen(config)).toBe(true)
  expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError)
})

test('CFG-2 the effective settings are printed with secrets masked', () => {
  const lines = describeConfig(
    withEnv({
      CARREL_PORT: '9000',
      CARREL_SECRET_KEY: 'k'.repeat(32),
      CARREL_ADMIN_USERNAME: 'ana',
      CARREL_ADMIN_PASSWORD: 'quiet-lamp-over-snow',
      CARREL_DATABASE_URL: 'postgres://user:hidden-word@db/carrel',
      CARREL_DATABASE_POOLER_URL: 'postgres://user:hidden-word@pooler/carrel',
      CARREL_DATABASE_REPLICA_URL: 'postgres://user:hidden-word@replica/carrel',
      CARREL_SETTING_OPDS_BASIC: 'false',
    }),
  )
  const text = lines.join('\n')

  expect(lines).toEqual(
    expect.arrayContaining([
      'CARREL_PORT=9000',
      'CARREL_HOST=127.0.0.1  (default)',
      'CARREL_PUBLIC_URL=(not set)  (default)',
      'CARREL_BASE_PATH=(empty)  (default)',
      'CARREL_SECRET_KEY=********',
      'CARREL_ADMIN_PASSWORD=********',
      'CARREL_DATABASE_URL=postgres://user:********@db/carrel',
      'CARREL_DATABASE_POOLER_URL=postgres://user:********@pooler/carrel',
      'CARREL_DATABASE_REPLICA_URL=postgres://user:********@replica/carrel',
      'CARREL_SETTING_OPDS_BASIC=false',
    ]),
  )
  for (const secret of ['kkkk', 'quiet-lamp', 'hidden-word']) expect(text).not.toContain(secret)
})

test('T-52 CFG-2 a collector is named by its address, and what is wrong with that or its headers is not printed', () => {
  const env = { CARREL_OTLP_URL: 'http://127.0.0.1:4318/a', CARREL_OTLP_HEADERS: 'x-key=wombat=1, x-of=two words' }
  expect(read({ ...env, CARREL_OTLP_SAMPLE_PERCENT: '5' }).collector).toEqual({
    url: new URL(env.CARREL_OTLP_URL),
    headers: { 'x-key': 'wombat=1', 'x-of': 'two words' },
    samplePercent: 5,
  })
  for (const value of ['wombat:4318', 'ftp://wombat', 'http://user:wombat@x', 'http://x/?key=wombat']) {
    expect(refusalOf({ CARREL_OTLP_URL: value })).toMatch(/^CARREL_OTLP_URL is set to something, but must be an http/)
    expect(refusalOf({ CARREL_OTLP_URL: value })).not.toContain('wombat')
  }
  for (const value of ['wombat', 'a b=wombat', '=wombat'])
    expect(refusalOf({ CARREL_OTLP_HEADERS: value })).toMatch(/^CARREL_OTLP_HEADERS is set to something/)
})

test('LIM-1 ranges of addresses hold what is in them and nothing else', () => {
  const ranges = rangesOf(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1'])

  for (const address of ['10.255.0.1', '192.0.2.7']) expect(ranges.check(address, 'ipv4')).toBe(true)
  for (const address of ['11.0.0.1', '192.0.2.8', '127.0.0.1']) expect(ranges.check(address, 'ipv4')).toBe(false)
  for (const address of ['2001:db8:1::1', '::1']) expect(ranges.check(address, 'ipv6')).toBe(true)
  for (const address of ['2001:db9::1', '::2']) expect(ranges.check(address, 'ipv6')).toBe(false)
})

test.each([
  ['postgres://db/carrel?sslmode=require', 'postgres://db/carrel?sslmode=verify-full'],
  [
    'postgres://u:p%2Fw@db/carrel?sslrootcert=%2Fca.pem&sslmode=verify-ca',
    'postgres://u:p%2Fw@db/carrel?sslrootcert=%2Fca.pem&sslmode=verify-full',
  ],
  ['postgres://db/carrel?sslmode=no-verify', 'postgres://db/carrel?sslmode=no-verify'],
  ['postgres:///carrel?host=/var/run', 'postgres:///carrel?host=/var/run'],
])('CFG-1 an encryption that is asked for is checked unless that is ruled out: %s', (CARREL_DATABASE_URL, url) => {
  expect(read({ CARREL_DATABASE_URL }).database).toEqual({ kind: 'postgres', url })
})
