import type account from './features/account/strings/en.json'
import type common from './ui/strings/en.json'
import type home from './features/home/strings/en.json'
import type libraries from './features/libraries/strings/en.json'
import type reader from './features/reader/strings/en.json'
import type setup from './features/setup/strings/en.json'
import type signIn from './features/sign-in/strings/en.json'
import 'i18next'

/** A string that does not exist does not compile. Each feature with strings of its own has a line here. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: {
      common: typeof common
      account: typeof account
      home: typeof home
      reader: typeof reader
      libraries: typeof libraries
      setup: typeof setup
      'sign-in': typeof signIn
    }
  }
}
