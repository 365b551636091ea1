import { parseArgs } from 'node:util'
import { type Role, roles } from '@carrel/api'
import { removeSetupToken } from '../features/setup/setup.ts'
import { createUser, replacePassword, requireUncommonPassword, selectUserByName } from '../features/users/users.ts'
import { fullCost, passwordHashing } from '../platform/secrets/password-hash.ts'
import { askSecret } from './ask-secret.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { configFromEnvironment } from '../config.ts'
import { clock, openInstallation, quietLog } from './installation.ts'

const passwordHelp = `The password is asked for at a terminal, and otherwise read from standard input.`
const passwordLength = { min: 10, max: 256 }

export const userAdd: Command = {
  help: `Usage: carrel user add NAME [--role reader|editor|admin] [--email ADDRESS]

Creates a user; the server may be running meanwhile. ${passwordHelp}`,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { role: { type: 'string', default: 'reader' }, email: { type: 'string' } },
    })
    const username = onlyName(positionals)
    const role = roleFrom(values.role)
    const { config, database } = await openInstallation(...configAndLog())
    try {
      const password = await askPassword()
      const context = { db: database, clock, passwords: passwordHashing(fullCost), actor: 'operator' as const }
      await createUser(context, { username, password, role, email: values.email ?? null })
      await removeSetupToken(config.dataDir)
      process.stdout.write(`Created ${username}, ${role}.\n`)
      return exitCodes.done
    } finally {
      await database.close()
    }
  },
}

export const userPassword: Command = {
  help: `Usage: carrel user passwd NAME

Replaces the password and ends all sessions of the user at once; the server may be running. ${passwordHelp}`,
  run: async (args) => {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} })
    const username = onlyName(positionals)
    const { database } = await openInstallation(...configAndLog())
    try {
      const user = await selectUserByName(database.read, username)
      if (!user) throw new UsageError(`There is no user ${username}.`)
      const password = await askPassword()
      requireUncommonPassword(password, user.username, '/password')
      const passwordHash = await passwordHashing(fullCost).hash(password)
      await database.write((db) => replacePassword(db, user.id, { passwordHash, now: clock() }))
      process.stdout.write(`The password of ${user.username} is replaced; all their sessions have ended.\n`)
      return exitCodes.done
    } finally {
      await database.close()
    }
  },
}

const configAndLog = () => {
  const config = configFromEnvironment()
  return [config, quietLog(config)] as const
}

const onlyName = (positionals: readonly string[]): string => {
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) throw new UsageError('Name one user.')
  if (!/^[^@\p{Cc}]{1,64}$/u.test(name))
    throw new UsageError('A user name has 1 to 64 characters, without @ and control characters.')
  return name
}

const roleFrom = (word: string): Role => {
  const role = roles.find((each) => each === word)
  if (!role) throw new UsageError(`The role must be one of ${roles.join(', ')}.`)
  return role
}

const askPassword = async (): Promise<string> => {
  const password = await askSecret('Password: ')
  if (password.length < passwordLength.min || password.length > passwordLength.max) {
    throw new UsageError(`The password must have ${passwordLength.min} to ${passwordLength.max} characters.`)
  }
  return password
}
