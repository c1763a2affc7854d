"""Short lists of frequent English names and of the words that tell what kind of name stands beside them.

They are cues for the rules of names_english, no gazetteer: names that are not here are typed by the
words around them.
"""

from __future__ import annotations

__all__ = [
    "AMBIGUOUS_GIVEN",
    "GIVEN_NAMES",
    "HONORIFICS",
    "NO_NAMES",
    "OPENERS",
    "ORGANISATIONS",
    "ORGANISATION_ENDINGS",
    "PLACES",
    "PLACE_ENDINGS",
    "PRODUCTS",
]


def _names(text: str) -> frozenset[str]:
    """Split at commas."""
    return frozenset(" ".join(name.split()) for name in text.split(","))


HONORIFICS = _names("""
Mr, Mrs, Ms, Miss, Mx, Dr, Prof, Professor, Doctor, Sir, Madam, Lady, Lord, Captain, Colonel, Major,
General, Sergeant, President, Senator, Judge, Aunt, Auntie, Uncle, Grandma, Grandpa, Coach, Nurse, Father,
Sister, Rev, Saint
""")

GIVEN_NAMES = _names("""
Aaron, Abdul, Abigail, Adam, Adrian, Ahmed, Aiden, Aisha, Alan, Albert, Alejandro, Alex, Alexander,
Alexandra, Alexis, Alfred, Ali, Alice, Alicia, Alison, Allison, Amanda, Amber, Amelia, Amina, Amir, Amit,
Amy, Ana, Andrea, Andreas, Andrew, Andy, Angela, Anita, Anjali, Ann, Anna, Anne, Annie, Anthony, Antonio,
Arjun, Arthur, Ashley, Audrey, Barbara, Beatrice, Becky, Ben, Benjamin, Beth, Betty, Bianca, Bob, Brandon,
Brenda, Brian, Bruce, Bruno, Caleb, Cameron, Camille, Carl, Carla, Carlos, Carmen, Carol, Caroline,
Catherine, Cathy, Charles, Charlie, Charlotte, Chen, Chloe, Chris, Christian, Christina, Christine,
Christopher, Claire, Clara, Claudia, Colin, Connor, Craig, Cynthia, Daisy, Dan, Daniel, Daniela, Dave,
David, Debbie, Deborah, Deepak, Dennis, Derek, Diana, Diane, Diego, Dmitri, Dominic, Donald, Donna, Doris,
Dorothy, Doug, Douglas, Dylan, Eddie, Edward, Eileen, Elaine, Eleanor, Elena, Elizabeth, Ella, Ellen, Emily,
Emma, Eric, Erica, Erik, Erin, Ethan, Eva, Evan, Evelyn, Fatima, Felix, Fernando, Fiona, Francesca, Francis,
Frank, Fred, Gabriel, Gareth, Gary, Gemma, George, Gerald, Gina, Giovanni, Gloria, Gordon, Graham, Greg,
Gregory, Hannah, Hans, Harold, Harry, Hassan, Heather, Helen, Henry, Hiroshi, Holly, Howard, Hugo, Ian,
Ibrahim, Ingrid, Irene, Isaac, Isabel, Isabella, Ivan, Jacob, Jacqueline, Jake, James, Jamie, Jan, Jane,
Janet, Janice, Jasmine, Jason, Javier, Jay, Jean, Jeff, Jeffrey, Jen, Jenna, Jennifer, Jenny, Jeremy, Jerry,
Jesse, Jessica, Jill, Jim, Jimmy, Joan, Joanna, Joe, Joel, Johan, John, Jon, Jonas, Jonathan, Jorge, Jose,
Joseph, Josh, Joshua, Juan, Judith, Judy, Julia, Julian, Julie, Justin, Karen, Kate, Katherine, Kathleen,
Kathy, Katie, Keith, Kelly, Ken, Kenji, Kenneth, Kevin, Kim, Kimberly, Kofi, Kyle, Laura, Lauren, Leah, Lee,
Leo, Leon, Leonard, Lewis, Li, Liam, Lily, Linda, Lisa, Liz, Logan, Lorenzo, Louis, Louise, Luca, Lucas,
Lucia, Lucy, Luis, Lukas, Luke, Lydia, Lynn, Maggie, Malcolm, Marco, Marcus, Margaret, Maria, Marie, Marina,
Mario, Marion, Martha, Martin, Mary, Mateo, Matt, Matthew, Maya, Megan, Mei, Melissa, Mia, Michael,
Michelle, Miguel, Mike, Mohamed, Mohammed, Molly, Monica, Muhammad, Nadia, Nancy, Naomi, Natalie, Natasha,
Nathan, Neil, Nicholas, Nicola, Nicole, Nigel, Nina, Noah, Nora, Norman, Oliver, Olivia, Omar, Oscar, Owen,
Pablo, Paolo, Patricia, Patrick, Paul, Paula, Pedro, Peter, Phil, Philip, Phoebe, Pierre, Priya, Rachel,
Rafael, Raj, Rajesh, Ralph, Raymond, Rebecca, Ricardo, Richard, Rita, Robert, Roberto, Robin, Roger, Ron,
Ronald, Rosa, Rosie, Ross, Roy, Russell, Ruth, Ryan, Sally, Sam, Samantha, Samir, Samuel, Sandra, Sanjay,
Sara, Sarah, Scott, Sean, Sergei, Shane, Sharon, Shaun, Shirley, Simon, Sofia, Sophia, Sophie, Stacy,
Stefan, Stella, Stephanie, Stephen, Steve, Steven, Stuart, Sunita, Susan, Suzanne, Sven, Sylvia, Tanya,
Tara, Ted, Teresa, Terry, Tess, Theo, Theresa, Thomas, Tim, Timothy, Tina, Todd, Tom, Tony, Tracy, Trevor,
Valerie, Vanessa, Vera, Veronica, Victor, Victoria, Vikram, Vincent, Virginia, Vivian, Walter, Wang, Wei,
Wendy, William, Xavier, Yasmin, Yuki, Yusuf, Yvonne, Zach, Zachary, Zhang, Zoe
""")
AMBIGUOUS_GIVEN = _names("""
Amber, April, Bill, Chase, Dawn, Faith, Grace, Grant, Hope, Iris, Ivy, Jack, Joy, June, Lance, Mark, Max,
May, Miles, Nick, Pat, Pearl, Penny, Ray, Rich, Rob, Rose, Ruby, Skip, Sue, Summer, Violet, Will, Drew,
Gene, Dean
""")
"""Given names that are ordinary words too."""

PLACES = _names("""
Afghanistan, Africa, Alabama, Alaska, Albania, Algeria, America, Amsterdam, Argentina, Arizona, Asia,
Athens, Atlanta, Auckland, Austin, Australia, Austria, Baltimore, Bangalore, Bangkok, Bangladesh, Barcelona,
Bavaria, Beijing, Belfast, Belgium, Berlin, Birmingham, Bogota, Bolivia, Boston, Brazil, Brisbane, Bristol,
Britain, Brooklyn, Brussels, Bucharest, Budapest, Bulgaria, Cairo, California, Cambodia, Cambridge,
Cameroon, Canada, Cardiff, Chengdu, Chicago, Chile, China, Cologne, Colombia, Colorado, Connecticut,
Copenhagen, Cornwall, Croatia, Cuba, Cyprus, Dallas, Delhi, Denmark, Denver, Detroit, Dresden, Dubai,
Dublin, Ecuador, Edinburgh, Egypt, England, Estonia, Ethiopia, Europe, Finland, Florida, Florence, France,
Frankfurt, Galway, Geneva, Georgia, Germany, Ghana, Glasgow, Greece, Guangzhou, Guatemala, Haiti, Hamburg,
Hangzhou, Hanoi, Havana, Hawaii, Helsinki, Hong Kong, Houston, Hungary, Iceland, Idaho, Illinois, India,
Indiana, Indonesia, Iowa, Iran, Iraq, Ireland, Israel, Istanbul, Italy, Jakarta, Jamaica, Japan, Jerusalem,
Johannesburg, Jordan, Kansas, Kazakhstan, Kent, Kentucky, Kenya, Korea, Kuwait, Kyiv, Kyoto, Lagos, Laos,
Latvia, Lebanon, Leeds, Leipzig, Libya, Lisbon, Lithuania, Liverpool, London, Los Angeles, Louisiana,
Luxembourg, Lyon, Macau, Madrid, Maine, Malaysia, Malta, Manchester, Manhattan, Manila, Marseille, Maryland,
Massachusetts, Melbourne, Mexico, Miami, Michigan, Milan, Minnesota, Mississippi, Missouri, Moldova,
Mongolia, Montana, Montreal, Morocco, Moscow, Mumbai, Munich, Myanmar, Nairobi, Nanjing, Naples, Nebraska,
Nepal, Netherlands, Nevada, New Jersey, New York, New Zealand, Newcastle, Nigeria, Norway, Nottingham, Ohio,
Oklahoma, Oman, Oregon, Osaka, Oslo, Ottawa, Oxford, Pakistan, Palestine, Panama, Paraguay, Paris,
Pennsylvania, Perth, Peru, Philadelphia, Philippines, Phoenix, Pittsburgh, Poland, Portland, Porto,
Portugal, Prague, Qatar, Quebec, Reykjavik, Rio, Romania, Rome, Rotterdam, Russia, Rwanda, San Diego,
San Francisco, Santiago, Sao Paulo, Saudi Arabia, Scandinavia, Scotland, Seattle, Senegal, Seoul, Serbia,
Seville, Shanghai, Sheffield, Shenzhen, Siberia, Sicily, Singapore, Slovakia, Slovenia, Somalia,
South Africa, South Korea, Spain, Stockholm, Stuttgart, Sudan, Suzhou, Sweden, Switzerland, Sydney, Syria,
Taipei, Taiwan, Tanzania, Tehran, Tennessee, Texas, Thailand, Tibet, Tokyo, Toronto, Tunisia, Turin, Turkey,
Tuscany, UAE, UK, USA, US, Uganda, Ukraine, United Kingdom, United States, Uruguay, Utah, Valencia,
Vancouver, Venezuela, Venice, Vermont, Vienna, Vietnam, Wales, Warsaw, Washington, Wellington, Wuhan,
Wyoming, Xian, Yorkshire, Zagreb, Zambia, Zimbabwe, Zurich
""")
PLACE_ENDINGS = _names("""
Street, St, Road, Rd, Avenue, Ave, Lane, Drive, Boulevard, Blvd, Park, Lake, River, Mountain, Mountains,
Island, Islands, Beach, Station, Airport, Square, Bridge, Bay, Valley, City, County, Coast, Desert, Forest,
Harbour, Harbor, Heights, Hill, Hills, Ocean, Peninsula, Province, Sea, Town, Village, Garden, Gardens,
Market, Plaza, Terminal, Cathedral, Castle, Palace, Tower, Falls, Canyon, Creek, District, Quay, Crescent
""")

ORGANISATIONS = _names("""
AT&T, Accenture, Air France, Aldi, Amtrak, Ericsson, Asda, AstraZeneca, Bain, Best Buy, BlackRock,
Bloomberg, British Airways, Burger King, Capital One, Chase, Chevron, Citibank, Coca-Cola, Comcast,
Credit Suisse, Delta, Deutsche Bank, Deutsche Bahn, Domino's, EasyJet, Emirates, Expedia, Exxon, GSK, Gap,
General Electric, General Motors, Greenpeace, Gucci, H&M, Heineken, Hilton, Home Depot, Interpol, JetBlue,
KFC, KLM, Kellogg's, Kraft, Lego, Lidl, Lloyds, Lowe's, Mastercard, Mayo Clinic, Mazda, Mercedes, Moderna,
Monzo, Morgan Stanley, Morrisons, NBA, NFL, OECD, Panasonic, Pixar, Porsche, Prada, Procter & Gamble,
Rabobank, Reebok, Revolut, Sainsbury's, Santander, Save the Children, Sephora, Sotheby's, Southwest, Subaru,
Subway, T-Mobile, TSMC, Taco Bell, Telefonica, Toshiba, UBS, Verizon, Virgin, Waitrose, Walgreens, Warner,
Wells Fargo, Wendy's, Wimbledon, World Bank, Zara, Premier Inn, Royal Mail, Scotland Yard, Adobe, Airbus,
Alibaba, Alphabet, Amazon, American Express, Apple, Audi, BBC, BMW, BP, Barclays, Bayer, Boeing, Bosch, CIA,
CNN, Cisco, Costco, DHL, Dell, Deloitte, Disney, eBay, EU, FBI, FDA, FIFA, FedEx, Ford, Goldman Sachs,
Google, HMRC, HP, HSBC, Harvard, Honda, Huawei, Hyundai, IBM, IKEA, IMF, IRS, Intel, JPMorgan, KPMG, Kia,
Lenovo, LG, Lufthansa, Lyft, MIT, McDonald's, McKinsey, Merck, Meta, Microsoft, NASA, NATO, NHS, NVIDIA,
Nestle, Netflix, Nike, Nintendo, Nissan, Nokia, Novartis, OpenAI, Oracle, Oxfam, PayPal, Pepsi, Pfizer,
Philips, PwC, Qualcomm, Red Cross, Renault, Reuters, Roche, Ryanair, SAP, Samsung, Shell, Siemens, Sony,
SpaceX, Spotify, Stanford, Starbucks, Stripe, Target, Tencent, Tesco, Tesla, Toyota, UN, UNESCO, UNICEF,
UPS, Uber, Unilever, Visa, Vodafone, Volkswagen, Volvo, WHO, WWF, Walmart, Waymo, Xiaomi, Yahoo, Yale,
Zalando
""")
ORGANISATION_ENDINGS = _names("""
Inc, Ltd, LLC, LLP, Corp, Corporation, Company, Co, PLC, GmbH, AG, SA, Bank, University, College, School,
Academy, Institute, Hospital, Clinic, Airlines, Airways, Group, Foundation, Fund, Agency, Association,
Committee, Council, Commission, Ministry, Department, Union, Federation, Society, Philharmonic, Orchestra,
Symphony, Robotics, Motors, Technologies, Technology, Systems, Labs, Laboratories, Pharma, Pharmaceuticals,
Studios, Studio, Partners, Club, FC, United, Times, Telegraph, Insurance, Media, Logistics, Consulting,
Solutions, Software, Industries, Holdings, Capital, Ventures, Dental, Surgery, Legal, Law, Homes,
Properties, Construction, Plumbing, Catering, Cafe, Café, Coffee, Restaurant, Kitchen, Brewery, Publishing,
Design, Digital, Networks, Security, Finance, Financial, Mutual, Savings, Rail, Railway, Railways, Trains,
Bahn, Telecom, Mobile, Broadband, Water, Gas, Power, Oil, Steel, Automotive, Aerospace, Biotech, Health,
Healthcare, Medical, Optical, Vets, Nursery, Choir, Theatre, Theater, Opera, Ballet, Party, Army, Navy,
Police, Treasury, Post, Mail, Journal, News, Games, Pictures, Music, Toys, Furniture, Movers, Storage,
Energy, Electric, Electronics, Foods, Bakery, Books, Press, Depot, Brothers, Bros, Services, Trust, Charity,
Library, Museum, Church, Gym, Pharmacy, Court, Senate, Parliament, Bureau, Authority, Organization,
Organisation, Network, Team, Rovers, Records, Realty, Travel, Hotels, Supermarket, Analytics, Dynamics
""")

PRODUCTS = _names("""
Airbnb, AirPods, Alexa, Android, Asana, AutoCAD, Bluetooth, ChatGPT, Chrome, Chromebook, Claude, Confluence,
Discord, Docker, Dropbox, Duolingo, Evernote, Excel, Facebook, FaceTime, Figma, Firefox, Fitbit, GPT,
Galaxy, Gemini, Git, GitHub, GitLab, Gmail, Google Docs, Google Drive, Google Maps, Google Sheets,
Google Calendar, Illustrator, InDesign, Instagram, iPad, iPhone, iOS, Java, JavaScript, Jira, Jupyter,
Keynote, Kindle, Kubernetes, Lightroom, LinkedIn, Linux, Mac, MacBook, macOS, MATLAB, Messenger, Minecraft,
MongoDB, MySQL, Notion, Office, OneDrive, Outlook, Photoshop, PlayStation, Postgres, PostgreSQL, PowerPoint,
Python, PyTorch, React, Redis, Roomba, Safari, Salesforce, SharePoint, Shopify, Signal, Siri, Skype, Slack,
Snapchat, Squarespace, Steam, Stata, Switch, Tableau, TikTok, TensorFlow, Teams, Microsoft Teams,
Google Translate, Google Chrome, Apple Watch, Apple Pay, Apple Music, Game Boy, Nintendo Switch, Coca Cola,
Nutella, Post-it, Echo Dot, Fire TV, Fire Stick, Grammarly, Obsidian, Todoist, Canva, Miro, Premiere,
Final Cut, Blender, Unity, Unreal, SQLite, Elasticsearch, Grafana, Terraform, Ansible, Jenkins, Node, Vue,
Angular, Swift, Kotlin, Scala, Perl, Fortran, Bing, DuckDuckGo, Opera, Edge, Thunderbird, Telegram, Viber,
Reddit, Pinterest, Tinder, Strava, Garmin, GoPro, Netflix Party, Prius, Corolla, Civic, Golf, Fiesta,
Mustang, Model S, Thermomix, Trello, Twitter, TypeScript, Ubuntu, VS Code, WeChat, Webex, WhatsApp,
Wikipedia, Windows, WordPress, WPS, Xbox, YouTube, Zoom, Zotero, Llama, Rust, Django, Flask, Polars, Pandas,
NumPy, Kafka
""")

NO_NAMES = _names("""
I, Im, Ive, Id, Ill, OK, Ok, TV, PC, PDF, CEO, CTO, CFO, COO, HR, IT, API, SQL, HTML, CSS, JSON, CSV, XML,
USB, FAQ, GPS, URL, AI, ML, LLM, CPU, GPU, RAM, SSD, DNA, DIY, ETA, FYI, ASAP, PS, ID, VPN, VAT, GDP, KPI,
ROI, SEO, UI, UX, AM, PM, CV, PhD, MBA, BSc, MSc, BA, MA, GCSE, SAT, ADHD, MRI, IVF, COVID, HIV, RSVP, TBD,
TODO, BTW, IMO, LOL, DM, CC, BCC, PR, QA, OS, Wi-Fi, WiFi, NB, PIN, ATM, SUV, EV, DVD, CD, English, French,
German, Spanish, Italian, Chinese, Japanese, Korean, Russian, Portuguese, Dutch, Greek, Arabic, Hindi,
Turkish, Polish, Swedish, Danish, Norwegian, Finnish, Irish, Scottish, Welsh, British, American, Canadian,
Australian, European, African, Asian, Indian, Mexican, Brazilian, Thai, Vietnamese, Mandarin, Cantonese,
Latin, Christian, Muslim, Jewish, Buddhist, Catholic, God, Mom, Dad, Mum, Mother, Grandma, Internet, Web,
Earth, Moon, Sun, North, South, East, West, Republican, Democrat, UTC, GMT, EST, Monday, Tuesday, Wednesday,
Thursday, Friday, Saturday, Sunday, January, Tues, Thurs, February, March, July, August, September, October,
November, December, Christmas, Easter, Congrats, Congratulations, Yep, Yup, Yeah, Nope, Nah, Woah, Whoa,
Wow, Yay, Haha, Hah, Hmm, Ugh, Oops, Oh, Aww, Ah, Hey, Hi, Hello, Thanks, Thx, Sorry, Cheers, Okay, Please,
Thankfully, Hopefully, Honestly, Ps, True, False, None, Null, Note, Woohoo, Oof, Yea, Lemme, Gonna, Gotta,
Whew, Phew, Yikes, Dude, Bro, Guys, Todo, Re, Fwd
""")

OPENERS = _names("""
ask, book, bring, buy, call, cancel, check, choose, compare, contact, copy, create, delete, describe, does,
download, draft, email, explain, fill, find, fix, follow, forward, get, give, has, help, install, invite,
join, keep, leave, list, make, meet, move, open, order, pay, pick, plan, print, put, read, recommend,
remember, remind, rename, replace, reply, rewrite, ring, run, save, schedule, search, send, set, share,
show, sign, start, stop, suggest, summarise, summarize, take, tell, text, translate, try, update, upload,
use, visit, watch, write, both, dear, only, even, also, another, new, old
""")
"""Words that open an English sentence and are no part of the name after them."""
