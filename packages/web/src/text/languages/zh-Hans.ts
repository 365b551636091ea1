export { default as common } from '../../ui/strings/zh-Hans.json'

export const others = import.meta.glob<object>(
  [
    '../../{lists,metadata}/strings/zh-Hans.json',
    '../../frame/palette/strings/zh-Hans.json',
    '../../features/**/strings/zh-Hans.json',
  ],
  { import: 'default' },
)
