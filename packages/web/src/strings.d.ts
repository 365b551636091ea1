import type common from './ui/strings/en.json'
import type home from './features/home/strings/en.json'
import type reader from './features/reader/strings/en.json'
import type signIn from './features/sign-in/strings/en.json'
import 'i18next'

/** A string that does not exist does not compile. Each feature with strings of its own has a line here. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: {
      common: typeof common
      home: typeof home
      reader: typeof reader
      'sign-in': typeof signIn
    }
  }
}
