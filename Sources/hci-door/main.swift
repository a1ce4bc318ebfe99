import HostDoor

openHostDoor()
