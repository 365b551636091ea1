/** Languages as Windows numbers them, by the lower ten bits of a locale. */
const languages: ReadonlyMap<number, string> = new Map(
  `1:ar 2:bg 3:ca 4:zh 5:cs 6:da 7:de 8:el 9:en 10:es 11:fi 12:fr 13:he 14:hu 15:is 16:it 17:ja 18:ko 19:nl 20:nb 21:pl
  22:pt 23:rm 24:ro 25:ru 26:hr 27:sk 28:sq 29:sv 30:th 31:tr 32:ur 33:id 34:uk 35:be 36:sl 37:et 38:lv 39:lt 41:fa 42:vi
  43:hy 44:az 45:eu 47:mk 54:af 55:ka 56:fo 57:hi 58:mt 60:ga 62:ms 63:kk 65:sw 69:bn 73:ta 74:te 86:gl`
    .split(/\s+/)
    .map((entry): [number, string] => {
      const [number = '', code = ''] = entry.split(':')
      return [Number(number), code]
    }),
)

/** Undefined for none and for what nobody knows. */
export const languageOfLocale = (locale: number): string | undefined => languages.get(locale & 0x3ff)
