/** The commonest passwords of ten characters and more, folded to lower case. Shorter ones are refused anyway. */
const commonest = new Set(
  `1234567890 0123456789 12345678910 123456789a a123456789 1234567891 1234567899 987654321a 0987654321 9876543210
  1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4t5 q1w2e3r4t5y6 1qaz2wsx3edc 1qazxsw23edc qazwsxedcrfv qazwsx123456 zaq12wsxcde3 zaq1xsw2cde3
  qwertyuiop qwertyuiop123 qwerty12345 qwerty123456 qwerty1234 qwertyqwerty qwertyuiop1 qwerty123! asdfghjkl; asdfghjkl1 asdfghjkl123
  asdfasdfasdf asdf123456 zxcvbnm123 zxcvbnm,./ zxcvbnm1234 poiuytrewq mnbvcxz123 azertyuiop azerty123456 qwertzuiop
  password12 password123 password1234 password12345 password123456 password01 password1! password12! password123! password11
  password00 password99 passwordpassword password.123 password@123 password_123 p@ssword123 p@ssw0rd123 p@ssw0rd1234 passw0rd123
  passw0rd1234 pa55word123 pa55w0rd123 mypassword mypassword1 mypassword123 yourpassword thepassword newpassword newpassword1
  changeme123 changeme1234 changemenow changethis changeit123 pleasechange letmein123 letmein1234 letmein12345 letmeinnow
  welcome123 welcome1234 welcome12345 welcome2020 welcome2021 welcome2022 welcome2023 welcome2024 welcome2025 welcome2026 welcome123!
  admin12345 admin123456 admin1234567 administrator administrator1 administrador adminadmin admin@1234 admin@12345 adminpassword
  adminadmin123 rootroot123 root123456 rootpassword superadmin superadmin1 superuser1 test123456 test1234567 testtest123 testpassword
  testtesttest tester12345 user123456 user1234567 userpassword guest12345 guestguest demo123456 default123 defaultpassword
  iloveyou12 iloveyou123 iloveyou1234 iloveyousomuch iloveyouforever iloveyoubaby iloveyou123! ilovemyself ilovejesus ilovemyfamily
  loveyou123 lovelove123 mylove1234 trustno1trustno1 trustnobody trustnoone sunshine12 sunshine123 sunshine1234 princess12 princess123
  princess1234 football12 football123 football1234 baseball12 baseball123 basketball basketball1 basketball123 volleyball volleyball1
  liverpool1 liverpool123 manchester manchester1 manutd1234 chelsea123 arsenal123 barcelona1 barcelona123 realmadrid realmadrid1
  juventus123 superman12 superman123 superman1234 batman1234 spiderman1 spiderman123 pokemon123 pokemon1234 starwars12 starwars123
  startrek123 minecraft1 minecraft123 fortnite123 roblox1234 naruto1234 naruto12345 narutouzumaki onepiece123 dragonball dragonballz
  dragonball1 dragon1234 dragon12345 master1234 master12345 monkey1234 monkey12345 shadow1234 shadow12345 michael123 michael1234
  michelle123 jennifer123 jessica123 jessica1234 jordan2323 charlie123 charlie1234 anthony123 daniel1234 matthew123 nicholas123
  alexander1 alexander123 christopher christopher1 elizabeth1 elizabeth123 victoria123 samantha123 stephanie1 alejandro1 alejandra1
  benjamin123 jonathan123 joshua1234 andrew1234 thomas1234 robert1234 hannah1234 ashley1234 nicole1234 chocolate1 chocolate123
  butterfly1 butterfly123 strawberry strawberry1 blueberry1 watermelon watermelon1 cheesecake pineapple1 sweetheart sweetheart1
  snowflake123 rainbow123 summer2020 summer2021 summer2022 summer2023 summer2024 summer2025 summer2026 winter2020 winter2021
  winter2022 winter2023 winter2024 winter2025 winter2026 spring2024 spring2025 spring2026 autumn2024 autumn2025 autumn2026
  january2024 january2025 january2026 february2025 september september1 november2025 december2025 computer12 computer123
  computer1234 internet12 internet123 internet1234 windows123 windows2000 microsoft1 microsoft123 google1234 google12345 facebook12
  facebook123 facebook1234 samsung123 samsung1234 motorola123 blackberry blackberry1 mercedes123 corvette123 mustang123 ferrari123
  lamborghini porsche911 yamaha1234 harleydavidson abcdefghij abcdefghijk abcdefghijkl abcd123456 abcd1234567 abcd12345678 abc1234567
  abc12345678 abc123456789 abc123abc123 abcabcabc1 aaaaa11111 aaaa123456 aa12345678 aa123456789 a1b2c3d4e5 a1b2c3d4e5f6 a1234567890
  1a2b3c4d5e 1a2b3c4d5e6f 123abc123abc 123123123123 1231231234 123321123321 1122334455 11223344556677 112233445566 1020304050
  1029384756 1357924680 2468013579 1212121212 1313131313 1010101010 1231231231 123qweasdzxc 123qwe123qwe 123qweasd1 qwe123qwe123
  qweasdzxc123 qweasdzxc1 qweasd123456 asd123asd123 asdqwe123456 zxc123zxc123 147258369a 1472583690 147852369a 159753456852 7894561230
  789456123a 741852963a 9638527410 3141592653 3141592654 2718281828 correcthorsebatterystaple correcthorse thisismypassword
  thisisapassword thisispassword ihatepasswords nopassword nopassword1 secretpassword secret1234 secret12345 topsecret1 topsecret123
  mysecretpassword hellohello hello12345 hello123456 helloworld helloworld1 helloworld123 hellokitty hellokitty1 goodmorning goodluck123
  godisgood1 godisgood123 jesuschrist jesuschrist1 jesus12345 blessed123 whatever12 whatever123 fuckyou123 fuckyou1234 fuckoff123
  asshole123 bullshit123 motherfucker qwert12345 qwert123456 qaz123456789 qazqazqaz1 library123 library1234 mylibrary1 mylibrary123
  comics1234 mangamanga carrel1234 carrel12345 carrelcarrel carrelpassword carreladmin bookworm12 bookworm123 booklover1`.split(
    /\s+/,
  ),
)

/** It returns whether a password is one of those that are tried first. */
export const isCommonPassword = (password: string, username: string): boolean => {
  const folded = password.normalize('NFKC').toLowerCase()
  const name = username.normalize('NFKC').toLowerCase()
  return commonest.has(folded) || isMonotonous(folded) || isNameWithEnding(folded, name)
}

/** `aaaaaaaaaa`, `abababababab`, `1234567890123`, `zyxwvutsrq`. */
const isMonotonous = (password: string): boolean => {
  const characters = [...password]
  if (new Set(characters).size <= 3) return true
  const steps = characters
    .slice(1)
    .map((character, index) => (character.codePointAt(0) ?? 0) - (characters[index]?.codePointAt(0) ?? 0))
  return [1, -1].some((step) => steps.filter((each) => each === step).length >= steps.length - 1)
}

/** The user name with nothing but digits and signs about it, or written twice. */
const isNameWithEnding = (password: string, name: string): boolean =>
  name.length >= 4 && password.includes(name) && !/\p{L}/u.test(password.replaceAll(name, ''))
