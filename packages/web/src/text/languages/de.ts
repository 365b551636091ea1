export { default as common } from '../../ui/strings/de.json'

export const others = import.meta.glob<object>(
  [
    '../../{lists,metadata}/strings/de.json',
    '../../frame/palette/strings/de.json',
    '../../features/**/strings/de.json',
  ],
  { import: 'default' },
)
