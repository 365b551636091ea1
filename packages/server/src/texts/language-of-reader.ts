import { type Language, languageFor } from '@carrel/api'

/** More than anybody has set; the rest of a longer list is not looked at. */
const tagsMax = 20

/** People are spoken to in the language of their account, else in the first that their application asks for and we have. */
export const languageOfReader = (ofAccount: string | null, accepted: string | undefined): Language =>
  languageFor([...(ofAccount === null ? [] : [ofAccount]), ...acceptedIn(accepted)]) ?? 'en'

/** The tags of `de-AT,de;q=0.9,*;q=0.1`, the most wanted first. */
const acceptedIn = (header = ''): string[] =>
  header
    .split(',', tagsMax)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((each) => each.trim())
      const weight = parameters.find((each) => /^q=/i.test(each))
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
