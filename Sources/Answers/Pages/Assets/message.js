// The bytes of a message of the accessory protocol, taken apart (R4 3.2 to 3.4).

const MESSAGE_IDS = {
    accessoryConfigurationData: 0x01, accessoryUwbDidStart: 0x02, accessoryUwbDidStop: 0x03,
    initialize: 0x0a, configureAndStart: 0x0b, stop: 0x0c, getReserved: 0x20, setReserved: 0x21,
    iOSNotify: 0x2f,
};

/** The parts of the configuration data's head: name, and how many bytes. */
const CONFIGURATION = [
    ["major version", 2], ["minor version", 2], ["preferred update rate", 1], ["reserved", 10],
    ["length of UWB data", 1],
];

const RATES = ["automatic", "infrequent (10 Hz at most)", "user interactive (20 Hz at most)"];

/** The parts of a message: `{at, bytes, name, meaning}`; none where an event carries no bytes. */
function partsOf(event) {
    const name = event.kind.split(".")[1];
    if (!event.kind.startsWith("msg.")) return [];
    const id = MESSAGE_IDS[name] ?? event.value("id");
    if (typeof id !== "number") return [];
    const parts = [];
    let at = 0;
    const add = (hex, name, meaning) => {
        if (hex.length === 0) return;
        parts.push({ at, bytes: hex.match(/../g), name, meaning });
        at += hex.length / 2;
    };
    add(id.toString(16).padStart(2, "0"), "message id", name);
    const configuration = event.value("configuration")?.h;
    if (configuration !== undefined) addConfiguration(configuration, add);
    const shareable = event.value("shareable")?.h;
    if (shareable !== undefined) add(shareable, "shareable configuration data", "opaque: from the app's NISession");
    const bytes = event.value("bytes")?.h;
    if (bytes !== undefined) add(bytes, "payload", "the manufacturer's own");
    return parts;
}

function addConfiguration(hex, add) {
    let rest = hex;
    for (const [name, length] of CONFIGURATION) {
        const field = rest.slice(0, 2 * length);
        rest = rest.slice(2 * length);
        const bytes = (field.match(/../g) ?? []).map((byte) => parseInt(byte, 16));
        const value = bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
        const meaning = name === "reserved" ? (value === 0 ? "zeros, as demanded" : "not zero")
            : name === "preferred update rate" ? `${value}: ${RATES[value / 10] ?? "not defined"}` : String(value);
        add(field, name, meaning);
    }
    add(rest, "UWB configuration data", "opaque: from the accessory's middleware");
}
